package io.alrai.e2e.sql;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.alrai.e2e.Servers;
import io.alrai.testing.MiniCluster;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** What of a transaction takes part in it. */
@ExtendWith(Servers.Shared.class)
class TransactionScopeIT {
  private static String branches(Statement statement) throws SQLException {
    String own;
    try (ResultSet id = statement.executeQuery("SELECT CONNECTION_ID()")) {
      id.next();
      own = id.getString(1);
    }
    try (ResultSet rows = statement.executeQuery("SHOW TRANS")) {
      while (rows.next()) {
        if (rows.getString("ID").equals(own)) {
          return rows.getString("BRANCHES");
        }
      }
    }
    return "not open";
  }

  @Test
  void aSelectWithoutTablesTouchesNoDn(Servers servers) throws SQLException {
    int port = servers.cluster().port();
    Servers.freshRows(port, "scope", 8, 1);
    try (Connection connection = MiniCluster.connect(port, "scope", "");
        Statement statement = connection.createStatement()) {
      statement.execute("BEGIN");
      try (ResultSet rows = statement.executeQuery("SELECT @@transaction_read_only, 1 + 1")) {
        rows.next();
        assertEquals(0, rows.getInt(1));
        assertEquals(2, rows.getInt(2));
      }
      assertEquals("", branches(statement));
      statement.execute("UPDATE t SET b = 2 WHERE a = 1");
      String one = branches(statement);
      assertTrue(one.contains("primary"), one);
      assertFalse(one.contains(","), one);
      statement.execute("ROLLBACK");
      assertEquals("not open", branches(statement));
    }
  }

  /**
   * As InnoDB reads for INSERT ... SELECT: a transaction that copies rows can delete them
   * afterwards.
   */
  @Test
  void whatATransactionCopiesStaysAsItIs(Servers servers) throws SQLException {
    copies(servers.plain().port());
    copies(servers.cluster().port());
  }

  private static void copies(int port) throws SQLException {
    Servers.freshSchema(port, "copied");
    try (Connection connection = MiniCluster.connect(port, "copied", "");
        Connection another = MiniCluster.connect(port, "copied", "");
        Statement one = connection.createStatement();
        Statement two = another.createStatement()) {
      Servers.run(
          connection,
          "CREATE TABLE t (a INT PRIMARY KEY, b INT)",
          "CREATE TABLE kept (a INT PRIMARY KEY, b INT)",
          "CREATE VIEW v AS SELECT a + 200 AS a, b FROM t",
          "INSERT INTO t VALUES (1, 1), (2, 1), (3, 1), (4, 1), (5, 2)");
      two.execute("SET innodb_lock_wait_timeout = 1");
      one.execute("BEGIN");
      assertEquals("4", Servers.only(one, "SELECT COUNT(*) FROM t WHERE b = 1"));
      two.execute("INSERT INTO t VALUES (6, 1)");
      assertEquals(5, one.executeUpdate("INSERT INTO kept SELECT a + 100, b FROM t WHERE b = 1"));
      assertEquals(5, one.executeUpdate("INSERT INTO kept SELECT a, b FROM v WHERE b = 1"));
      waits(two, "UPDATE t SET b = 2 WHERE a = 3");
      waits(two, "DELETE FROM t WHERE a = 6");
      assertEquals(5, one.executeUpdate("DELETE FROM t WHERE b = 1"));
      one.execute("COMMIT");
      assertEquals("5", Servers.only(two, "SELECT GROUP_CONCAT(a) FROM t"));
      assertEquals("10", Servers.only(two, "SELECT COUNT(*) FROM kept"));
      one.execute("SET SESSION TRANSACTION ISOLATION LEVEL READ COMMITTED");
      one.execute("BEGIN");
      assertEquals(1, one.executeUpdate("INSERT INTO kept SELECT a + 300, b FROM t"));
      assertEquals(1, two.executeUpdate("DELETE FROM t WHERE a = 5"));
      one.execute("COMMIT");
    }
  }

  private static void waits(Statement statement, String sql) {
    SQLException error = assertThrows(SQLException.class, () -> statement.execute(sql));
    assertEquals(1205, error.getErrorCode(), error.getMessage());
  }
}
