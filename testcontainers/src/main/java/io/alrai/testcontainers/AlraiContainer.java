package io.alrai.testcontainers;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Objects;
import org.testcontainers.containers.JdbcDatabaseContainer;
import org.testcontainers.utility.DockerImageName;

/**
 * A container with a whole cluster in one process, {@code alrai up}: two DNs, or as many as one
 * says, and a CN that serves on a port of this machine. Data ends with the container.
 *
 * <pre>
 *   try (AlraiContainer alrai = new AlraiContainer()) {
 *     alrai.start();
 *     DriverManager.getConnection(alrai.getJdbcUrl(), alrai.getUsername(), alrai.getPassword());
 *   }
 * </pre>
 */
public final class AlraiContainer extends JdbcDatabaseContainer<AlraiContainer> {
  /** Where a CN serves, in the container. */
  public static final int PORT = 8527;

  private static final String ROOT = "root";
  private static final Duration STARTED_WITHIN = Duration.ofMinutes(3);

  private String database = "test";
  private String password = "test";
  private int dns = 2;

  /** With the image of this version of Alrai. */
  public AlraiContainer() {
    this(image());
  }

  /** With another image of Alrai. */
  public AlraiContainer(DockerImageName image) {
    super(image);
    addExposedPort(PORT);
    withStartupTimeoutSeconds((int) STARTED_WITHIN.toSeconds());
    withConnectTimeoutSeconds((int) STARTED_WITHIN.toSeconds());
  }

  private static DockerImageName image() {
    try (InputStream name =
        Objects.requireNonNull(AlraiContainer.class.getResourceAsStream("image"))) {
      return DockerImageName.parse(new String(name.readAllBytes(), StandardCharsets.UTF_8).strip());
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** The number of DNs, each with a mysqld. */
  public AlraiContainer withDns(int count) {
    dns = count;
    return self();
  }

  /** The database of the URL; it is made by the first connection. */
  @Override
  public AlraiContainer withDatabaseName(String name) {
    database = name;
    return self();
  }

  /** The password of root. */
  @Override
  public AlraiContainer withPassword(String value) {
    password = value;
    return self();
  }

  @Override
  protected void configure() {
    addEnv("ALRAI_ROLE", "up");
    addEnv("ALRAI_ROOT_PASSWORD", password);
    withCommand("--dns", Integer.toString(dns));
  }

  @Override
  public String getDriverClassName() {
    return "com.mysql.cj.jdbc.Driver";
  }

  @Override
  public String getJdbcUrl() {
    String parameters = constructUrlParameters("?", "&");
    return "jdbc:mysql://"
        + getHost()
        + ":"
        + getMappedPort(PORT)
        + "/"
        + URLEncoder.encode(database, StandardCharsets.UTF_8).replace("+", "%20")
        + (parameters.isEmpty() ? "?" : parameters + "&")
        + "createDatabaseIfNotExist=true&allowPublicKeyRetrieval=true";
  }

  @Override
  public String getUsername() {
    return ROOT;
  }

  @Override
  public String getPassword() {
    return password;
  }

  @Override
  public String getDatabaseName() {
    return database;
  }

  @Override
  protected String getTestQueryString() {
    return "SELECT 1";
  }
}
