package io.alrai.e2e.faults;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.alrai.e2e.Servers;
import io.alrai.testing.ClusterProcess;
import io.alrai.testing.DnDoors;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** A DN's connection breaks inside a transaction, and a statement cannot be undone alone. */
@ExtendWith(Servers.Shared.class)
final class BrokenTransactionIT {
  private static final String ROWS = "(1, 1), (2, 2), (3, 3), (4, 4), (5, 5), (6, 6), (7, 7)";
  private static final List<String> DNS = List.of("dn-1", "dn-2");

  /** Not from innodb_trx: asked more often than every 100 ms, it gives the same answer again. */
  private static final String BLOCKED =
      "SELECT DISTINCT t.PROCESSLIST_ID FROM performance_schema.data_lock_waits w"
          + " JOIN performance_schema.threads t ON t.THREAD_ID = w.REQUESTING_THREAD_ID";

  private static final String OPEN =
      "SELECT trx_mysql_thread_id FROM information_schema.innodb_trx";

  @Test
  void betweenTwoStatements(Servers servers) throws Exception {
    try (Connection connection = fresh(servers);
        Statement statement = connection.createStatement();
        DnDoors doors = servers.cluster().doors()) {
      connection.setAutoCommit(false);
      statement.execute("UPDATE t SET b = b + 1");
      kill(doors, OPEN);
      rolledBack(
          connection,
          assertThrows(SQLException.class, () -> statement.execute("UPDATE t SET b = b + 1")));
    }
  }

  @Test
  void insideAStatement(Servers servers) throws Exception {
    try (Connection connection = fresh(servers);
        Connection other = servers.cluster().connect("broken");
        Statement statement = connection.createStatement();
        Statement locks = other.createStatement();
        ExecutorService executor = Executors.newVirtualThreadPerTaskExecutor();
        DnDoors doors = servers.cluster().doors()) {
      connection.setAutoCommit(false);
      statement.execute("INSERT INTO t VALUES (100, 0), (101, 0), (102, 0), (103, 0), (104, 0)");
      other.setAutoCommit(false);
      locks.execute("UPDATE t SET b = b + 1 WHERE a < 100");
      Future<Integer> update =
          executor.submit(() -> statement.executeUpdate("UPDATE t SET b = b + 1 WHERE a < 100"));
      ClusterProcess.await(
          "the wait for locks",
          10,
          () -> DNS.stream().anyMatch(dn -> !doors.query(dn, BLOCKED).isEmpty()));
      kill(doors, BLOCKED);
      other.rollback();
      ExecutionException error =
          assertThrows(ExecutionException.class, () -> update.get(60, TimeUnit.SECONDS));
      rolledBack(connection, (SQLException) error.getCause());
    }
  }

  private static Connection fresh(Servers servers) throws SQLException {
    Servers.freshSchema(servers.cluster().port(), "broken");
    Connection connection = servers.cluster().connect("broken");
    try (Statement statement = connection.createStatement()) {
      statement.execute(
          "CREATE TABLE t (a INT PRIMARY KEY, b INT) PARTITION BY KEY(a) PARTITIONS 4");
      statement.execute("INSERT INTO t VALUES " + ROWS);
    }
    return connection;
  }

  private static void kill(DnDoors doors, String connections) {
    boolean killed = false;
    for (String dn : DNS) {
      for (List<String> victim : doors.query(dn, connections)) {
        doors.query(dn, "KILL " + victim.getFirst());
        killed = true;
      }
    }
    assertTrue(killed);
  }

  private static void rolledBack(Connection connection, SQLException error) throws SQLException {
    assertEquals(1213, error.getErrorCode(), error.toString());
    assertEquals("40001", error.getSQLState());
    assertTrue(
        String.valueOf(error.getMessage()).contains("the transaction was rolled back"),
        error.toString());
    connection.commit();
    connection.setAutoCommit(true);
    try (Statement statement = connection.createStatement();
        ResultSet row = statement.executeQuery("SELECT COUNT(*), SUM(b) FROM t")) {
      assertTrue(row.next());
      assertEquals("7 28", row.getString(1) + " " + row.getString(2));
      assertEquals(7, statement.executeUpdate("UPDATE t SET b = b + 1"));
    }
  }
}
