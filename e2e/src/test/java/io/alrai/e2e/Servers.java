package io.alrai.e2e;

import io.alrai.testing.DatabaseNames;
import io.alrai.testing.MiniCluster;
import io.alrai.testing.PlainMysqld;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.StringJoiner;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.extension.ParameterContext;
import org.junit.jupiter.api.extension.ParameterResolver;

/**
 * A plain mysqld and a cluster of two DNs, started once for all test classes of a JVM that ask for
 * them: Maven has each class of a JVM run by itself, in one session of JUnit's launcher.
 *
 * @param plain what answers are compared with
 * @param cluster Alrai
 */
public record Servers(PlainMysqld plain, MiniCluster cluster) implements AutoCloseable {
  /** Gives {@link Servers} to test methods that have such a parameter. */
  public static final class Shared implements ParameterResolver {
    @Override
    public boolean supportsParameter(ParameterContext parameter, ExtensionContext context) {
      return parameter.getParameter().getType().equals(Servers.class);
    }

    @Override
    public Object resolveParameter(ParameterContext parameter, ExtensionContext context) {
      return context
          .getStore(
              ExtensionContext.StoreScope.LAUNCHER_SESSION,
              ExtensionContext.Namespace.create(Servers.class))
          .computeIfAbsent(Servers.class, key -> start(), Servers.class);
    }
  }

  private static Servers start() {
    PlainMysqld plain = PlainMysqld.start();
    try {
      return new Servers(plain, MiniCluster.start(2));
    } catch (RuntimeException e) {
      plain.close();
      throw e;
    }
  }

  /** The first column of a query's first row; {@code no row} when there is none. */
  public static String only(Statement statement, String query) throws SQLException {
    try (ResultSet rows = statement.executeQuery(query)) {
      return rows.next() ? rows.getString(1) : "no row";
    }
  }

  /** Runs statements one after the other; what they answer does not matter. */
  public static void run(Connection connection, String... statements) throws SQLException {
    try (Statement statement = connection.createStatement()) {
      for (String sql : statements) {
        statement.execute(sql);
      }
    }
  }

  /** The first column of a query's rows. */
  public static List<String> column(Connection connection, String query) throws SQLException {
    try (Statement statement = connection.createStatement();
        ResultSet result = statement.executeQuery(query)) {
      List<String> values = new ArrayList<>();
      while (result.next()) {
        values.add(result.getString(1));
      }
      return values;
    }
  }

  /** The rows of a query in a schema of one of them. */
  public static List<List<String>> cells(int port, String schema, String query)
      throws SQLException {
    try (Connection connection = MiniCluster.connect(port, schema, "");
        Statement statement = connection.createStatement();
        ResultSet result = statement.executeQuery(query)) {
      List<List<String>> rows = new ArrayList<>();
      while (result.next()) {
        List<String> row = new ArrayList<>();
        for (int i = 1; i <= result.getMetaData().getColumnCount(); i++) {
          row.add(String.valueOf(result.getString(i)));
        }
        rows.add(row);
      }
      return rows;
    }
  }

  /** Makes an empty schema on one of them. */
  public static void freshSchema(int port, String schema) throws SQLException {
    try (Connection connection = MiniCluster.connect(port, "", "");
        Statement statement = connection.createStatement()) {
      statement.execute("DROP DATABASE IF EXISTS " + DatabaseNames.quoted(schema));
      statement.execute("CREATE DATABASE " + DatabaseNames.quoted(schema));
    }
  }

  /**
   * Makes a schema with one table, {@code t (a, b)}, over all DNs.
   *
   * @param rows with 1 and up in a
   * @param b in each of them
   */
  public static void freshRows(int port, String schema, int rows, int b) throws SQLException {
    freshSchema(port, schema);
    StringJoiner values = new StringJoiner(",");
    for (int a = 1; a <= rows; a++) {
      values.add("(" + a + "," + b + ")");
    }
    try (Connection connection = MiniCluster.connect(port, schema, "");
        Statement statement = connection.createStatement()) {
      statement.execute(
          "CREATE TABLE t (a INT PRIMARY KEY, b INT) PARTITION BY KEY(a) PARTITIONS 4");
      statement.execute("INSERT INTO t VALUES " + values);
    }
  }

  @Override
  public void close() {
    cluster.close();
    plain.close();
  }
}
