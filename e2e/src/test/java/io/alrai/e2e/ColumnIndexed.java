package io.alrai.e2e;

import io.alrai.testing.ClusterProcess;
import io.alrai.testing.DatabaseNames;
import io.alrai.testing.MiniCluster;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;

/** Column indexes of test tables. */
public final class ColumnIndexed {
  private ColumnIndexed() {}

  /** Makes the index of a table; it is ready when this returns. */
  public static void create(Connection alrai, String table, String column) throws SQLException {
    try (Statement statement = alrai.createStatement()) {
      statement.execute(
          "CREATE CLUSTERED COLUMNAR INDEX by_column ON " + table + " (" + column + ")");
    }
  }

  /** Waits until the index that {@link #create} or somebody else made is ready at an endpoint. */
  public static void awaitReady(int port, String schema, String table) {
    ClusterProcess.await(
        "the column index of " + table + " at port " + port,
        () -> {
          try {
            return rows(
                    port, "SHOW COLUMNAR INDEX FROM " + DatabaseNames.quoted(schema) + "." + table)
                .stream()
                .allMatch(row -> row.get(4).equals("READY"));
          } catch (SQLException e) {
            throw new IllegalStateException(e);
          }
        });
  }

  /** The partitions in which an endpoint's index {@code by_column} is not what the rows are. */
  public static List<List<String>> differences(int port, String schema, String table)
      throws SQLException {
    return rows(
            port, "CHECK COLUMNAR INDEX by_column ON " + DatabaseNames.quoted(schema) + "." + table)
        .stream()
        .filter(row -> !row.subList(3, 6).equals(List.of("0", "0", "0")))
        .toList();
  }

  private static List<List<String>> rows(int port, String query) throws SQLException {
    try (Connection connection = MiniCluster.connect(port, "", "");
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

  /** How many SELECTs column indexes have answered at an endpoint. */
  public static long answered(int port) throws SQLException {
    return status(port, "Alrai_column_selects_total");
  }

  /** A number of SHOW STATUS. */
  public static long status(int port, String name) throws SQLException {
    try (Connection connection = MiniCluster.connect(port, "", "");
        Statement statement = connection.createStatement();
        ResultSet row = statement.executeQuery("SHOW STATUS LIKE '" + name + "'")) {
      if (!row.next()) {
        throw new IllegalStateException("no status " + name);
      }
      return row.getLong(2);
    }
  }
}
