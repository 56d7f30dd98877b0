package io.alrai.e2e.faults;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.alrai.testing.ClusterProcess;
import io.alrai.testing.DnDoors;
import io.alrai.testing.MiniCluster;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.Callable;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * Many clients on few backend connections: 2,000 that are idle after some work, 100 that are busy
 * with transactions over two DNs. {@code -Dcrowd.seconds=N} keeps them busy longer.
 */
@Tag("alone")
final class CrowdIT {
  private static final int IDLE = 2_000;
  private static final int BUSY = 100;
  private static final int BACKENDS = 100;
  private static final int ROWS_EACH = 8;
  private static final int LOGINS_AT_ONCE = 16;

  /** InnoDB renews innodb_trx only when nobody has read it for 100 ms. */
  private static final long RENEWED_MILLIS = 250;

  private static final List<String> DNS = List.of("dn-1", "dn-2");

  @Test
  void idleClientsHoldNothingAndBusyOnesShare() throws Exception {
    Queue<Connection> idle = new ConcurrentLinkedQueue<>();
    try (ClusterProcess cluster = ClusterProcess.up(List.of(), "--dns", "2")) {
      try {
        fill(cluster.port());
        inParallel(LOGINS_AT_ONCE, IDLE, number -> idle.add(idle(cluster.port(), number)));
        assertEquals(IDLE, idle.size());
        AtomicLong transactions = new AtomicLong();
        long seconds = Long.getLong("crowd.seconds", 6);
        long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(seconds);
        inParallel(BUSY, BUSY, number -> transactions.addAndGet(busy(cluster.port(), number, end)));
        System.out.println(transactions + " transactions of " + BUSY + " clients");
        try (DnDoors doors = new DnDoors(cluster.directory(), DNS)) {
          for (String dn : DNS) {
            int most = most(doors, dn);
            System.out.println(dn + " had " + most + " connections at most");
            assertTrue(most < BACKENDS, dn + " had " + most + " connections");
            // a COMMIT is answered when it is decided, before the other DN has done it
            awaitNoTransaction(doors, dn);
          }
        }
        assertEquals(transactions.get(), sum(cluster.port()));
        for (Connection connection : idle) {
          assertTrue(connection.isValid(30));
        }
      } finally {
        for (Connection connection : idle) {
          connection.close();
        }
      }
    }
  }

  private static void awaitNoTransaction(DnDoors doors, String dn) {
    String open =
        "SELECT trx_started, NOW(), trx_state, trx_rows_modified, trx_mysql_thread_id, trx_query"
            + " FROM information_schema.innodb_trx";
    AtomicReference<List<List<String>>> left = new AtomicReference<>(List.of());
    try {
      ClusterProcess.await(
          "the end of all transactions on " + dn,
          5,
          RENEWED_MILLIS,
          () -> {
            left.set(doors.query(dn, open));
            return left.get().isEmpty();
          });
    } catch (AssertionError late) {
      throw new AssertionError(left + ", XA: " + doors.query(dn, "XA RECOVER"), late);
    }
  }

  private interface Client {
    void run(int number) throws SQLException;
  }

  /** Runs so many clients, each with its number, on so many threads; the first error counts. */
  private static void inParallel(int threads, int clients, Client client) throws Exception {
    try (ExecutorService executor = Executors.newFixedThreadPool(threads)) {
      List<Callable<Void>> work = new ArrayList<>();
      for (int i = 0; i < clients; i++) {
        int number = i;
        work.add(() -> {
          client.run(number);
          return null;
        });
      }
      for (Future<Void> done : executor.invokeAll(work)) {
        done.get();
      }
    }
  }

  private static void fill(int port) throws SQLException {
    try (Connection connection = MiniCluster.connect(port, "", "");
        Statement statement = connection.createStatement()) {
      statement.execute("CREATE DATABASE crowd");
      statement.execute(
          "CREATE TABLE crowd.t (id INT PRIMARY KEY, n INT NOT NULL)"
              + " PARTITION BY KEY(id) PARTITIONS 4");
      StringBuilder insert = new StringBuilder("INSERT INTO crowd.t VALUES (0, 0)");
      for (int i = 1; i < BUSY * ROWS_EACH; i++) {
        insert.append(",(").append(i).append(", 0)");
      }
      statement.execute(insert.toString());
    }
  }

  /** A client that has done what clients do before they wait. */
  @SuppressWarnings("MustBeClosedChecker")
  private static Connection idle(int port, int number) throws SQLException {
    Connection connection =
        MiniCluster.connect(port, "crowd", "&useServerPrepStmts=" + (number % 2 == 0));
    try (Statement statement = connection.createStatement()) {
      switch (number % 5) {
        case 0 -> statement.execute("SET SESSION sql_mode = 'ANSI_QUOTES', @mine = " + number);
        case 1 -> statement.execute("SELECT SUM(n) FROM t");
        case 2 -> {
          PreparedStatement open = connection.prepareStatement("SELECT n FROM t WHERE id = ?");
          open.setInt(1, number % (BUSY * ROWS_EACH));
          open.executeQuery().close();
        }
        case 3 -> {
          connection.setAutoCommit(false);
          statement.execute("SELECT n FROM t WHERE id = " + number % (BUSY * ROWS_EACH));
          connection.commit();
        }
        default -> statement.execute("START TRANSACTION");
      }
    }
    return connection;
  }

  /** Transactions over rows of its own on both DNs until the end; how many. */
  private static long busy(int port, int number, long endNanos) throws SQLException {
    long transactions = 0;
    String accounts = "&useAffectedRows=" + (number % 2 == 0);
    try (Connection connection = MiniCluster.connect(port, "crowd", accounts);
        PreparedStatement update =
            connection.prepareStatement("UPDATE t SET n = n + 1 WHERE id = ?");
        Statement statement = connection.createStatement()) {
      while (System.nanoTime() < endNanos) {
        connection.setAutoCommit(false);
        for (int i = 0; i < ROWS_EACH; i++) {
          update.setInt(1, number * ROWS_EACH + i);
          assertEquals(1, update.executeUpdate());
        }
        connection.commit();
        transactions++;
        connection.setAutoCommit(true);
        try (ResultSet row =
            statement.executeQuery("SELECT n FROM t WHERE id = " + number * ROWS_EACH)) {
          assertTrue(row.next());
          assertEquals(transactions, row.getLong(1));
        }
      }
    }
    return transactions;
  }

  private static long sum(int port) throws SQLException {
    try (Connection connection = MiniCluster.connect(port, "crowd", "");
        Statement statement = connection.createStatement();
        ResultSet row = statement.executeQuery("SELECT SUM(n) FROM t")) {
      assertTrue(row.next());
      return row.getLong(1) / ROWS_EACH;
    }
  }

  private static int most(DnDoors doors, String dn) {
    List<List<String>> rows = doors.query(dn, "SHOW GLOBAL STATUS LIKE 'Max_used_connections'");
    return Integer.parseInt(rows.getFirst().get(1));
  }
}
