package io.alrai.common.jdbc;

import java.net.URI;
import java.net.URISyntaxException;
import java.net.URLDecoder;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Properties;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Address of a MySQL endpoint and a database there.
 *
 * @param host host and port as written in the address, e.g. {@code 127.0.0.1:8527}
 * @param database name of the database
 * @param user account name
 * @param password password, empty for none
 * @param properties Connector/J properties
 */
public record MysqlEndpoint(
    String host, String database, String user, String password, Map<String, String> properties) {
  /** What a benchmark wants; each can be overridden in the address. */
  private static final Map<String, String> DEFAULTS =
      Map.of(
          "sslMode", "DISABLED",
          "allowPublicKeyRetrieval", "true",
          "useLocalSessionState", "true",
          "connectTimeout", "10000");

  public MysqlEndpoint {
    properties = Map.copyOf(properties);
  }

  /**
   * Reads {@code mysql://user:password@host:port/database?property=value} or the same with {@code
   * jdbc:mysql://}; names with other characters have them as percent and two digits. The account
   * defaults to root, the password to that of {@code MYSQL_PWD} in the environment, as MySQL's own
   * clients have it: what is in an argument, everybody on the machine can read. The connection is
   * not encrypted unless the address says {@code sslMode=...}.
   *
   * @param database where the address names none
   * @throws IllegalArgumentException if the text is not such an address
   */
  public static MysqlEndpoint parse(String url, String database) {
    return parse(url, database, System.getenv());
  }

  static MysqlEndpoint parse(String url, String database, Map<String, String> environment) {
    String text = url.startsWith("jdbc:") ? url.substring("jdbc:".length()) : url;
    URI uri;
    try {
      uri = new URI(text);
    } catch (URISyntaxException e) {
      throw new IllegalArgumentException("not an address of a MySQL endpoint: " + url, e);
    }
    if (!"mysql".equals(uri.getScheme()) || uri.getHost() == null) {
      throw new IllegalArgumentException(
          "not an address of a MySQL endpoint, expected mysql://user@host:port/database: " + url);
    }
    Map<String, String> properties = new LinkedHashMap<>(DEFAULTS);
    properties.put("password", environment.getOrDefault("MYSQL_PWD", ""));
    properties.putAll(query(uri.getRawQuery()));
    String[] account = account(uri.getRawUserInfo(), properties);
    String path = uri.getPath() == null ? "" : uri.getPath().replaceFirst("^/", "");
    int port = uri.getPort() < 0 ? 3306 : uri.getPort();
    return new MysqlEndpoint(
        uri.getHost() + ":" + port,
        path.isEmpty() ? database : path,
        account[0],
        account[1],
        properties);
  }

  private static String[] account(@Nullable String userInfo, Map<String, String> properties) {
    String user = properties.getOrDefault("user", "root");
    String password = properties.getOrDefault("password", "");
    properties.remove("user");
    properties.remove("password");
    if (userInfo == null) {
      return new String[] {user, password};
    }
    int colon = userInfo.indexOf(':');
    return colon < 0
        ? new String[] {decode(userInfo), password}
        : new String[] {
          decode(userInfo.substring(0, colon)), decode(userInfo.substring(colon + 1))
        };
  }

  private static Map<String, String> query(@Nullable String query) {
    Map<String, String> result = new LinkedHashMap<>();
    if (query == null || query.isEmpty()) {
      return result;
    }
    for (String pair : query.split("&", -1)) {
      int equals = pair.indexOf('=');
      if (equals > 0) {
        result.put(decode(pair.substring(0, equals)), decode(pair.substring(equals + 1)));
      }
    }
    return result;
  }

  /** A plus is one: addresses are no forms. */
  private static String decode(String text) {
    return URLDecoder.decode(text.replace("+", "%2B"), StandardCharsets.UTF_8);
  }

  /** A name as addresses have it. */
  static String encode(String name) {
    return URLEncoder.encode(name, StandardCharsets.UTF_8).replace("+", "%20");
  }

  String jdbcUrl(String schema) {
    return "jdbc:mysql://" + host + "/" + encode(schema);
  }

  /** A new connection whose current schema is {@link #database}. */
  public Connection connect() throws SQLException {
    return open(database, Map.of());
  }

  /** A new connection without a current schema: for creating or dropping the database. */
  public Connection connectToServer() throws SQLException {
    return open("", Map.of());
  }

  /** Like {@link #connect}, with further properties that win over those of the address. */
  public Connection connect(Map<String, String> more) throws SQLException {
    return open(database, more);
  }

  private Connection open(String schema, Map<String, String> more) throws SQLException {
    Properties all = new Properties();
    all.putAll(properties);
    all.putAll(more);
    all.setProperty("user", user);
    all.setProperty("password", password);
    return DriverManager.getConnection(jdbcUrl(schema), all);
  }

  /** The address without the password. */
  @Override
  public String toString() {
    String query =
        properties.entrySet().stream()
            .filter(e -> !e.getValue().equals(DEFAULTS.get(e.getKey())))
            .map(e -> encode(e.getKey()) + "=" + encode(e.getValue()))
            .sorted()
            .collect(Collectors.joining("&"));
    return "mysql://"
        + encode(user)
        + "@"
        + host
        + "/"
        + encode(database)
        + (query.isEmpty() ? "" : "?" + query);
  }
}
