package io.alrai.e2e.clients;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;

/** Connections with properties of their own, and what the server says of them. */
final class Logins {
  private Logins() {}

  /** As root unless the properties name another. */
  static Connection connect(String host, int port, String properties) throws SQLException {
    return DriverManager.getConnection(
        "jdbc:mysql://"
            + host
            + ":"
            + port
            + "/?"
            + (properties.contains("user=") ? "" : "user=root&")
            + properties);
  }

  static String status(Statement statement, String name) throws SQLException {
    return second(statement, "SHOW STATUS LIKE '" + name + "'");
  }

  /** A status variable as a number, for conditions. */
  static long count(Statement statement, String name) {
    try {
      return Long.parseLong(status(statement, name));
    } catch (SQLException e) {
      throw new AssertionError(e);
    }
  }

  /** The statement is {@code SELECT ?, 'end'}. */
  static void assertComesBack(PreparedStatement statement, byte[] value) throws SQLException {
    statement.setBytes(1, value);
    try (ResultSet rows = statement.executeQuery()) {
      assertTrue(rows.next());
      assertArrayEquals(value, rows.getBytes(1));
      assertEquals("end", rows.getString(2));
      assertFalse(rows.next());
    }
  }

  static String variable(Statement statement, String name) throws SQLException {
    return second(statement, "SHOW VARIABLES LIKE '" + name + "'");
  }

  private static String second(Statement statement, String sql) throws SQLException {
    try (ResultSet rows = statement.executeQuery(sql)) {
      assertTrue(rows.next(), sql);
      return rows.getString(2);
    }
  }
}
