package io.alrai.e2e.sql;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.alrai.e2e.Servers;
import io.alrai.testing.MiniCluster;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;

/** LOCK TABLES holds other sessions off, on every DN. */
@ExtendWith(Servers.Shared.class)
@Timeout(120)
class TableLocksIT {
  private static final int NOT_GOT = 1205;

  private final ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();
  private int port;
  private Connection holder;
  private Connection other;

  @BeforeEach
  void open(Servers servers) throws SQLException {
    port = servers.cluster().port();
    Servers.freshSchema(port, "locks");
    holder = MiniCluster.connect(port, "locks", "");
    other = MiniCluster.connect(port, "locks", "");
    run(holder, "CREATE TABLE t (a INT PRIMARY KEY, b INT) PARTITION BY KEY(a) PARTITIONS 8");
    run(holder, "CREATE TABLE u (a INT PRIMARY KEY, b INT) PARTITION BY KEY(a) PARTITIONS 8");
    run(holder, "INSERT INTO t VALUES (1,0),(2,0),(3,0),(4,0),(5,0),(6,0),(7,0),(8,0)");
    run(other, "SET lock_wait_timeout = 1");
  }

  @AfterEach
  void close() throws SQLException {
    holder.close();
    other.close();
    threads.close();
  }

  @Test
  void aWriteLockHoldsReadersAndWritersOff() throws SQLException {
    run(holder, "LOCK TABLES t WRITE");
    for (int key = 1; key <= 8; key++) {
      refused(NOT_GOT, "SELECT b FROM t WHERE a = " + key);
    }
    refused(NOT_GOT, "SELECT SUM(b) FROM t");
    refused(NOT_GOT, "UPDATE t SET b = 1");
    refused(NOT_GOT, "LOCK TABLES t READ");
    assertEquals(0, number(other, "SELECT COUNT(*) FROM u"));
    run(holder, "UPDATE t SET b = b + 1");
    run(holder, "UNLOCK TABLES");
    assertEquals(8, number(other, "SELECT SUM(b) FROM t"));
  }

  @Test
  void aReadLockHoldsWritersOff() throws SQLException {
    run(holder, "LOCK TABLES t READ");
    assertEquals(0, number(other, "SELECT SUM(b) FROM t"));
    refused(NOT_GOT, "UPDATE t SET b = 1 WHERE a = 3");
    run(other, "LOCK TABLES t READ");
    run(other, "UNLOCK TABLES");
    run(holder, "START TRANSACTION");
    run(other, "UPDATE t SET b = 1 WHERE a = 3");
  }

  @Test
  void theEndOfTheSessionGivesItsLocksBack() throws Exception {
    run(holder, "LOCK TABLES t WRITE");
    run(holder, "UPDATE t SET b = 1");
    run(other, "SET lock_wait_timeout = 50");
    Future<?> waiting = start(other, "UPDATE t SET b = b + 1");
    holder.close();
    waiting.get(60, TimeUnit.SECONDS);
    assertEquals(16, number(other, "SELECT SUM(b) FROM t"));
  }

  @Test
  void aStatementOverSeveralPlacesIsAllOrNothing() throws SQLException {
    run(holder, "LOCK TABLES t WRITE");
    SQLException error =
        assertThrows(
            SQLException.class,
            () -> run(holder, "INSERT INTO t VALUES (11,0),(12,0),(13,0),(14,0),(1,0),(15,0)"));
    assertEquals(1062, error.getErrorCode());
    assertEquals(8, number(holder, "SELECT COUNT(*) FROM t"));
    run(holder, "UNLOCK TABLES");
    assertEquals(8, number(other, "SELECT COUNT(*) FROM t"));
  }

  @Test
  void aTransactionThatWantsWhatIsLockedAlreadyGetsOn() throws Exception {
    run(other, "SET lock_wait_timeout = 50");
    run(holder, "CREATE TABLE v (a INT PRIMARY KEY, b INT) PARTITION BY KEY(a) PARTITIONS 2");
    run(holder, "INSERT INTO v SELECT * FROM t");
    for (int first = 1; first <= 4; first++) {
      run(other, "BEGIN");
      run(other, "UPDATE v SET b = b + 1 WHERE a = " + first);
      Future<?> locking = start(holder, "LOCK TABLES v WRITE");
      for (int key = 1; key <= 8; key++) {
        run(other, "UPDATE v SET b = b + 1 WHERE a = " + key);
      }
      assertFalse(locking.isDone());
      run(other, "COMMIT");
      locking.get(60, TimeUnit.SECONDS);
      assertEquals(9 * first, number(holder, "SELECT SUM(b) FROM v"));
      run(holder, "UNLOCK TABLES");
    }
  }

  @Test
  void twoThatLockTheSameTablesInAnotherOrderBothGetThem() throws Exception {
    Callable<Integer> one = () -> locks(holder, "LOCK TABLES t WRITE, u WRITE");
    Callable<Integer> two = () -> locks(other, "LOCK TABLES u WRITE, t WRITE");
    run(other, "SET lock_wait_timeout = 50");
    Future<Integer> first = threads.submit(one);
    Future<Integer> second = threads.submit(two);
    assertEquals(20, first.get(90, TimeUnit.SECONDS) + second.get(90, TimeUnit.SECONDS));
    assertEquals(20 * 8, number(other, "SELECT SUM(b) FROM t"));
  }

  private static int locks(Connection connection, String lock) throws SQLException {
    for (int i = 0; i < 10; i++) {
      run(connection, lock);
      run(connection, "UPDATE t SET b = b + 1");
      run(connection, "UNLOCK TABLES");
    }
    return 10;
  }

  @Test
  void aWaitForALockCanBeKilled() throws Exception {
    run(other, "LOCK TABLES t WRITE");
    int id = number(holder, "SELECT CONNECTION_ID()");
    Future<?> locking = start(holder, "LOCK TABLES t READ");
    while (!locking.isDone()) {
      run(other, "KILL QUERY " + id);
    }
    Exception error = assertThrows(Exception.class, locking::get);
    assertEquals(1317, ((SQLException) error.getCause()).getErrorCode());
    run(other, "UNLOCK TABLES");
    assertEquals(0, number(holder, "SELECT COUNT(*) FROM u"));
  }

  @Test
  void definitionsWaitUntilTheTablesAreUnlocked() throws SQLException {
    run(holder, "LOCK TABLES t WRITE");
    SQLException error =
        assertThrows(SQLException.class, () -> run(holder, "ALTER TABLE t ADD COLUMN c INT"));
    assertEquals(1192, error.getErrorCode());
    run(holder, "UNLOCK TABLES");
    run(holder, "ALTER TABLE t ADD COLUMN c INT");
  }

  private void refused(int errno, String sql) {
    assertEquals(
        errno, assertThrows(SQLException.class, () -> run(other, sql), sql).getErrorCode(), sql);
  }

  private Future<?> start(Connection connection, String sql) {
    return threads.submit(() -> {
      run(connection, sql);
      return null;
    });
  }

  private static void run(Connection connection, String sql) throws SQLException {
    try (Statement statement = connection.createStatement()) {
      statement.execute(sql);
    }
  }

  private static int number(Connection connection, String sql) throws SQLException {
    try (Statement statement = connection.createStatement();
        ResultSet rows = statement.executeQuery(sql)) {
      rows.next();
      return rows.getInt(1);
    }
  }
}
