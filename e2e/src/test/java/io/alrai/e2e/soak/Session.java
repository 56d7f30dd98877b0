package io.alrai.e2e.soak;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.alrai.testing.MiniCluster;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;

/** A witness's session, opened when it is needed. One thread. */
final class Session implements AutoCloseable {
  private static final String BOUNDS = "&connectTimeout=30000&socketTimeout=";

  private final int port;
  private final String schema;
  private final int boundMillis;
  private Connection connection;

  /**
   * A session at a CN.
   *
   * @param boundMillis how long an answer may take; later, the step has failed
   */
  Session(int port, String schema, int boundMillis) {
    this.port = port;
    this.schema = schema;
    this.boundMillis = boundMillis;
  }

  @SuppressWarnings("MustBeClosedChecker")
  Connection connection() throws SQLException {
    if (connection == null || connection.isClosed()) {
      connection = MiniCluster.connect(port, schema, BOUNDS + boundMillis);
    }
    return connection;
  }

  void execute(String... statements) throws SQLException {
    try (Statement statement = connection().createStatement()) {
      for (String sql : statements) {
        try {
          statement.execute(sql);
        } catch (SQLException e) {
          throw told(sql, e);
        }
      }
    }
  }

  private static SQLException told(String sql, SQLException e) {
    return new SQLException(sql + ": " + e.getMessage(), e.getSQLState(), e.getErrorCode(), e);
  }

  /** Rows, their columns with a comma between. */
  List<String> rows(String sql) throws SQLException {
    try (Statement statement = connection().createStatement();
        ResultSet result = statement.executeQuery(sql)) {
      List<String> rows = new ArrayList<>();
      int columns = result.getMetaData().getColumnCount();
      while (result.next()) {
        StringBuilder row = new StringBuilder();
        for (int i = 1; i <= columns; i++) {
          row.append(i > 1 ? "," : "").append(result.getString(i));
        }
        rows.add(row.toString());
      }
      return rows;
    } catch (SQLException e) {
      throw told(sql, e);
    }
  }

  void expect(List<String> expected, String sql) throws SQLException {
    assertEquals(expected, rows(sql), sql);
  }

  /** The next use connects anew. */
  void drop() {
    try {
      close();
    } catch (SQLException broken) {
      // it was to go in any case
    }
    connection = null;
  }

  @Override
  public void close() throws SQLException {
    if (connection != null) {
      connection.close();
    }
  }
}
