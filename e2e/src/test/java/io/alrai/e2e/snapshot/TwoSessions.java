package io.alrai.e2e.snapshot;

import io.alrai.e2e.Servers;
import io.alrai.testing.DatabaseNames;
import io.alrai.testing.MiniCluster;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;

/** A session that is tested, and one that writes meanwhile, on a table {@code t (a, b)}. */
record TwoSessions(Connection mine, Connection other) implements AutoCloseable {
  /**
   * Makes the schema; b is 0 in all rows.
   *
   * @param test its name decides which hard name the schema has
   */
  static TwoSessions open(Servers servers, String test, int rows) throws SQLException {
    int port = servers.cluster().port();
    String schema = DatabaseNames.of(test);
    Servers.freshRows(port, schema, rows, 0);
    return new TwoSessions(
        MiniCluster.connect(port, schema, ""), MiniCluster.connect(port, schema, ""));
  }

  void run(String sql) throws SQLException {
    try (Statement statement = mine.createStatement()) {
      statement.execute(sql);
    }
  }

  void others(String sql) throws SQLException {
    try (Statement statement = other.createStatement()) {
      statement.execute(sql);
    }
  }

  /** What the tested session reads. */
  int number(String query) throws SQLException {
    try (Statement statement = mine.createStatement()) {
      return Integer.parseInt(Servers.only(statement, query));
    }
  }

  @Override
  public void close() throws SQLException {
    mine.close();
    other.close();
  }
}
