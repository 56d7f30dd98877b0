package io.alrai.e2e.deadline;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.alrai.e2e.Servers;
import io.alrai.testing.ClusterProcess;
import io.alrai.testing.MiniCluster;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.LongAdder;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;

/**
 * More statements than a CN has places for, with {@code alrai_admission_wait_ms}: those that get
 * none have their error soon, sessions that hold what others may wait for are let in, and what was
 * let in is done, once.
 */
@Tag("alone")
@ExtendWith(Servers.Shared.class)
@Timeout(120)
final class AdmissionIT {
  private static final String SCHEMA = "admis`si%on";
  private static final int REFUSED = 3168;
  private static final int WAIT_MILLIS = 50;

  /** How late half of the errors come at most. */
  private static final int MOST_LATE_MILLIS = 100;

  /** How late any error comes: the machine may be busy. */
  private static final int MOST_LATE_EVER_MILLIS = 5_000;

  private static final int WRITERS = 200;
  private static final int TRANSACTIONS = 6;
  private static final int LOAD_SECONDS = 3;
  private static final String SLOW = "UPDATE t SET b = b + 1 WHERE a = ? AND SLEEP(0.03) = 0";

  private final int port;
  private final CountDownLatch connected = new CountDownLatch(WRITERS + TRANSACTIONS + 2);

  /** Rows of t that were changed, as clients have seen. */
  private final LongAdder changed = new LongAdder();

  private final LongAdder transactions = new LongAdder();
  private final LongAdder underLocks = new LongAdder();
  private final LongAdder refused = new LongAdder();
  private final Queue<Long> refusedAfterMillis = new ConcurrentLinkedQueue<>();
  private volatile boolean over;

  AdmissionIT(Servers servers) throws SQLException {
    port = servers.cluster().port();
    Servers.freshRows(port, SCHEMA, WRITERS + 2 * TRANSACTIONS + 1, 0);
  }

  private Connection connect(int number) throws SQLException {
    String properties = number % 2 == 0 ? "&useServerPrepStmts=true" : "";
    return MiniCluster.connect(port, SCHEMA, properties);
  }

  private void awaitOthers() throws InterruptedException {
    connected.countDown();
    assertTrue(connected.await(60, TimeUnit.SECONDS), "all are connected");
  }

  /** Whether a change was let in, which is done then; else it has got the error in time. */
  private boolean isLetIn(PreparedStatement update, int row) throws SQLException {
    update.setInt(1, row);
    long start = System.nanoTime();
    try {
      assertEquals(1, update.executeUpdate());
      changed.increment();
      return true;
    } catch (SQLException e) {
      if (e.getErrorCode() != REFUSED) {
        throw e;
      }
      long millis = TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - start);
      refused.increment();
      refusedAfterMillis.add(millis);
      assertEquals("HY000", e.getSQLState());
      assertTrue(e.getMessage().contains("has more statements than it can run"), e.getMessage());
      assertTrue(e.getMessage().contains("has not begun; send it again later"), e.getMessage());
      return false;
    }
  }

  private Void write(int row) throws Exception {
    try (Connection connection = connect(row);
        PreparedStatement update = connection.prepareStatement(SLOW)) {
      awaitOthers();
      while (!over) {
        isLetIn(update, row);
      }
    }
    return null;
  }

  /** After the first statement of a transaction, none of it is refused. */
  private Void transfer(int number) throws Exception {
    int row = WRITERS + 1 + 2 * number;
    try (Connection connection = connect(number);
        PreparedStatement update = connection.prepareStatement(SLOW)) {
      awaitOthers();
      while (!over) {
        Servers.run(connection, "BEGIN");
        if (!isLetIn(update, row)) {
          Servers.run(connection, "ROLLBACK");
          continue;
        }
        assertTrue(isLetIn(update, row + 1), "the second of a transaction");
        Servers.run(connection, "COMMIT");
        transactions.increment();
      }
    }
    return null;
  }

  /** Nothing is refused of a session that has a lock. */
  private Void underLock(String lock, String write, LongAdder counted) throws Exception {
    try (Connection connection = connect(1)) {
      Servers.run(connection, lock);
      awaitOthers();
      while (!over) {
        Servers.run(connection, write);
        counted.increment();
        underLocks.increment();
      }
    }
    return null;
  }

  private static long status(Statement statement, String name) throws SQLException {
    try (var row = statement.executeQuery("SHOW GLOBAL STATUS LIKE '" + name + "'")) {
      assertTrue(row.next(), name);
      return row.getLong(2);
    }
  }

  private static long sum(Statement statement, String table) throws SQLException {
    return Long.parseLong(Servers.only(statement, "SELECT SUM(b) FROM " + table));
  }

  @Test
  void whatIsLetInIsDoneAndTheOthersHearSoSoon() throws Exception {
    try (Connection admin = MiniCluster.connect(port, SCHEMA, "");
        Statement statement = admin.createStatement()) {
      Servers.run(
          admin,
          "CREATE TABLE u (a INT PRIMARY KEY, b INT)",
          "INSERT INTO u VALUES (1, 0)",
          "SET GLOBAL alrai_admission_wait_ms = " + WAIT_MILLIS);
      try {
        long before = status(statement, "Alrai\\_admission\\_refused\\_total");
        LongAdder ofLocked = new LongAdder();
        load(statement, ofLocked);
        long counted = status(statement, "Alrai\\_admission\\_refused\\_total") - before;
        Servers.run(admin, "SET GLOBAL alrai_admission_wait_ms = 0");
        assertEquals(refused.sum(), counted, "as SHOW STATUS has it");
        assertEquals(0, status(statement, "Alrai\\_admission\\_waiting"));
        assertEquals(changed.sum(), sum(statement, "t"));
        assertEquals(ofLocked.sum(), sum(statement, "u"));
        assertTimes();
        assertTrue(changed.sum() > WRITERS, changed + " changes");
        assertTrue(transactions.sum() > TRANSACTIONS, transactions + " transactions");
        assertTrue(underLocks.sum() > TRANSACTIONS, underLocks + " under locks");
      } finally {
        Servers.run(admin, "SET GLOBAL alrai_admission_wait_ms = DEFAULT");
      }
    }
  }

  private void load(Statement admin, LongAdder ofLocked) throws Exception {
    int lockedRow = WRITERS + 2 * TRANSACTIONS + 1;
    try (ExecutorService clients = Executors.newVirtualThreadPerTaskExecutor()) {
      List<Future<Void>> ends = new ArrayList<>();
      for (int i = 1; i <= WRITERS; i++) {
        int row = i;
        ends.add(clients.submit(() -> write(row)));
      }
      for (int i = 0; i < TRANSACTIONS; i++) {
        int number = i;
        ends.add(clients.submit(() -> transfer(number)));
      }
      String update = "UPDATE t SET b = b + 1 WHERE a = " + lockedRow;
      ends.add(clients.submit(() -> underLock("SELECT GET_LOCK('work', 0)", update, changed)));
      ends.add(
          clients.submit(
              () -> underLock("LOCK TABLES u WRITE", "UPDATE u SET b = b + 1", ofLocked)));
      try {
        assertTrue(connected.await(60, TimeUnit.SECONDS), "all are connected");
        long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(LOAD_SECONDS);
        ClusterProcess.await("some who wait", () -> isSeen(admin));
        while (System.nanoTime() < end) {
          TimeUnit.MILLISECONDS.sleep(10);
        }
      } finally {
        over = true;
      }
      for (Future<Void> client : ends) {
        client.get(60, TimeUnit.SECONDS);
      }
    }
  }

  /** Whether those who wait are seen, both by their number and by what they do. */
  private static boolean isSeen(Statement admin) {
    try {
      long waiting = status(admin, "Alrai\\_admission\\_waiting");
      String shown =
          Servers.only(
              admin,
              "SELECT COUNT(*) FROM information_schema.PROCESSLIST"
                  + " WHERE STATE = 'Waiting for a place of its CN'");
      return waiting > 0 && Long.parseLong(shown) > 0;
    } catch (SQLException e) {
      throw new AssertionError("an administrator is not answered", e);
    }
  }

  private void assertTimes() {
    List<Long> sorted = refusedAfterMillis.stream().sorted().toList();
    assertFalse(sorted.isEmpty(), "nobody was refused");
    long half = sorted.get(sorted.size() / 2);
    System.out.printf(
        "%d changes, %d transactions; %d refused after %d to %d ms, half of them within %d ms%n",
        changed.sum(),
        transactions.sum(),
        sorted.size(),
        sorted.getFirst(),
        sorted.getLast(),
        half);
    assertTrue(sorted.getFirst() >= WAIT_MILLIS - 1, sorted.getFirst() + " ms");
    assertTrue(half <= WAIT_MILLIS + MOST_LATE_MILLIS, half + " ms");
    assertTrue(sorted.getLast() <= WAIT_MILLIS + MOST_LATE_EVER_MILLIS, sorted.getLast() + " ms");
  }
}
