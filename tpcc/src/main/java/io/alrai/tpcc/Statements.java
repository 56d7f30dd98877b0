package io.alrai.tpcc;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.HashMap;
import java.util.Map;

/** The prepared statements of one connection, made at first use. For one thread. */
final class Statements {
  private final Connection connection;
  private final Map<String, PreparedStatement> prepared = new HashMap<>();

  Statements(Connection connection) {
    this.connection = connection;
  }

  Connection connection() {
    return connection;
  }

  private PreparedStatement bind(String sql, Object... parameters) throws SQLException {
    PreparedStatement statement = prepared.get(sql);
    if (statement == null) {
      statement = connection.prepareStatement(sql);
      prepared.put(sql, statement);
    }
    for (int i = 0; i < parameters.length; i++) {
      if (parameters[i] instanceof Integer number) {
        statement.setInt(i + 1, number);
      } else {
        statement.setObject(i + 1, parameters[i]);
      }
    }
    return statement;
  }

  /** Rows of a SELECT; the caller closes them before the next use of the same text. */
  ResultSet query(String sql, Object... parameters) throws SQLException {
    return bind(sql, parameters).executeQuery();
  }

  /** The only column of the only row. */
  int queryInt(String sql, Object... parameters) throws SQLException {
    try (ResultSet row = query(sql, parameters)) {
      return one(row, sql).getInt(1);
    }
  }

  /** Runs a statement; returns how many rows it matched. */
  int change(String sql, Object... parameters) throws SQLException {
    return bind(sql, parameters).executeUpdate();
  }

  /** Runs a statement that must match exactly so many rows. */
  void change(int rows, String sql, Object... parameters) throws SQLException {
    int changed = change(sql, parameters);
    if (changed != rows) {
      throw new SQLException(
          "expected " + rows + " affected rows, got " + changed + ": " + sql, WRONG_ANSWER);
    }
  }

  /** Moves to the first row, which must be there. */
  static ResultSet one(ResultSet rows, String sql) throws SQLException {
    if (!rows.next()) {
      throw new SQLException("expected a row: " + sql, WRONG_ANSWER);
    }
    return rows;
  }

  /** SQLSTATE of errors that the server did not report but its answer shows. */
  static final String WRONG_ANSWER = "TPCC1";
}
