package io.alrai.e2e;

import io.alrai.testing.MiniCluster;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;

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

  /** How many SELECTs column indexes have answered at an endpoint. */
  public static long answered(int port) throws SQLException {
    return status(port, "Alrai_column_selects_total");
  }

  private static long status(int port, String name) throws SQLException {
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
