package io.alrai.testing;

import io.alrai.cn.process.ClusterConfig;
import io.alrai.cn.process.EmbeddedCluster;
import io.alrai.dn.link.Unfit;
import io.alrai.dn.mysqld.InstallProgress;
import io.alrai.dn.role.DnAgent;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.util.stream.IntStream;

/** An embedded cluster for a test, in a directory of its own. */
public final class MiniCluster implements AutoCloseable {
  private final Path directory;
  private final int dns;
  private EmbeddedCluster cluster;

  private MiniCluster(Path directory, int dns) {
    this.directory = directory;
    this.dns = dns;
    this.cluster = open();
    ClusterStates.opened(this, this::connections);
  }

  /** Starts a cluster of so many DNs. */
  public static MiniCluster start(int dns) {
    return new MiniCluster(TestDirectories.create("mini-"), dns);
  }

  private EmbeddedCluster open() {
    return EmbeddedCluster.start(
        new ClusterConfig(directory, "127.0.0.1", 0, dns), InstallProgress.silent());
  }

  /** The cluster. */
  public EmbeddedCluster cluster() {
    return cluster;
  }

  /** Doors to its mysqlds, past the CN. */
  public DnDoors doors() {
    return new DnDoors(
        directory, IntStream.rangeClosed(1, dns).mapToObj(number -> "dn-" + number).toList());
  }

  /** What the connections of its mysqlds do. */
  private String connections() {
    StringBuilder text = new StringBuilder(directory.toString());
    try (DnDoors doors = doors()) {
      for (int number = 1; number <= dns; number++) {
        text.append("\n== dn-").append(number);
        doors
            .query("dn-" + number, "SHOW FULL PROCESSLIST")
            .forEach(row -> text.append('\n').append(row));
      }
    }
    return text.toString();
  }

  /** The endpoint's port on 127.0.0.1. */
  public int port() {
    return cluster.port();
  }

  /** Stops it in order and starts it again on the same data. */
  public void restart() {
    cluster.close();
    cluster = open();
  }

  /** A connection to the endpoint. */
  public Connection connect(String schema) throws SQLException {
    return connect(port(), schema, "");
  }

  /**
   * A connection to any MySQL endpoint of this machine.
   *
   * @param properties more of Connector/J's, each with a leading ampersand
   */
  public static Connection connect(int port, String schema, String properties) throws SQLException {
    return connect(port, schema, properties, "root");
  }

  /** Connects another user, without a password. */
  public static Connection connect(int port, String schema, String properties, String user)
      throws SQLException {
    return connect(port, schema, properties, user, "");
  }

  /** Connects with a password. */
  public static Connection connect(
      int port, String schema, String properties, String user, String password)
      throws SQLException {
    return DriverManager.getConnection(
        "jdbc:mysql://127.0.0.1:"
            + port
            + "/"
            + DatabaseNames.inUrl(schema)
            + "?sslMode=DISABLED&allowPublicKeyRetrieval=true&allowLoadLocalInfile=true"
            + properties,
        user,
        password);
  }

  /**
   * Stops it.
   *
   * @throws AssertionError when a connection to a mysqld was given back in a state in which it
   *     could serve nobody else: it was closed then, but whoever gave it back has a defect
   */
  @Override
  public void close() {
    ClusterStates.forget(this);
    cluster.close();
    TestDirectories.remove(directory);
    String unfit = unfit();
    if (!unfit.isEmpty()) {
      throw new AssertionError("connections that could serve nobody else: " + unfit);
    }
  }

  /** Whoever leaves within a reply leaves it outstanding; that is no defect. */
  private String unfit() {
    StringBuilder text = new StringBuilder();
    for (DnAgent agent : cluster.agents()) {
      for (Unfit reason : Unfit.values()) {
        long count = agent.lead().link().unfit(reason).sum();
        if (count > 0 && reason != Unfit.BUSY) {
          text.append(agent.lead().dn())
              .append(' ')
              .append(reason.label())
              .append(' ')
              .append(count);
          text.append("; ");
        }
      }
    }
    return text.toString();
  }
}
