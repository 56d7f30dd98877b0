package io.alrai.e2e.ddl;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.alrai.e2e.Servers;
import io.alrai.testing.ClusterProcess;
import io.alrai.testing.MiniCluster;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/**
 * A table comes into one partition while sessions write to it and read it: what was acknowledged is
 * there, money that moves between its rows is neither lost nor made, statements wait, and only
 * transactions that were in the way have to be tried again.
 */
@ExtendWith(Servers.Shared.class)
class MovedUnderWritesIT {
  private static final int WRITERS = 4;
  private static final int ACCOUNTS = 40;
  private static final int FIRST_NEW = 1000;

  private static final int DEADLOCK = 1213;

  private final AtomicBoolean stop = new AtomicBoolean();
  private final Set<Integer> acknowledged = ConcurrentHashMap.newKeySet();
  private final AtomicLong reads = new AtomicLong();

  @Test
  void nothingAcknowledgedIsLost(Servers servers) throws Exception {
    int port = servers.cluster().port();
    Servers.freshSchema(port, "moved");
    try (ExecutorService writers = Executors.newVirtualThreadPerTaskExecutor();
        Connection connection = MiniCluster.connect(port, "moved", "");
        Statement statement = connection.createStatement()) {
      statement.execute("CREATE TABLE t (id INT PRIMARY KEY, balance INT, note BLOB)");
      for (int i = 0; i < ACCOUNTS; i++) {
        statement.execute("INSERT INTO t VALUES (" + i + ", 100, REPEAT(X'00FF27', 500))");
      }
      List<Future<?>> all = new ArrayList<>();
      for (int i = 0; i < WRITERS; i++) {
        int writer = i;
        all.add(writers.submit(() -> write(port, writer)));
        all.add(writers.submit(() -> transfer(port, writer)));
        all.add(writers.submit(() -> read(port, writer % 2 == 0)));
      }
      awaitWrites(100);
      statement.execute(
          "CREATE TABLE child (id INT PRIMARY KEY, t INT, FOREIGN KEY (t) REFERENCES t (id))");
      awaitWrites(acknowledged.size() + 100);
      stop.set(true);
      for (Future<?> one : all) {
        one.get();
      }
      assertEquals("SINGLE", placement(statement));
      Set<Integer> found = new HashSet<>();
      try (ResultSet rows = statement.executeQuery("SELECT id FROM t WHERE id >= " + FIRST_NEW)) {
        while (rows.next()) {
          found.add(rows.getInt(1));
        }
      }
      Set<Integer> lost = new HashSet<>(acknowledged);
      lost.removeAll(found);
      assertEquals(Set.of(), lost);
      assertEquals(acknowledged, found);
      assertTrue(reads.get() > 100, reads + " reads");
      try (ResultSet sum =
          statement.executeQuery(
              "SELECT SUM(balance), COUNT(*), SUM(note = REPEAT(X'00FF27', 500)) FROM t WHERE id < "
                  + FIRST_NEW)) {
        assertTrue(sum.next());
        assertEquals(100 * ACCOUNTS, sum.getInt(1));
        assertEquals(ACCOUNTS, sum.getInt(2));
        assertEquals(ACCOUNTS, sum.getInt(3));
      }
    }
  }

  private void awaitWrites(int least) {
    ClusterProcess.await(least + " writes", () -> acknowledged.size() >= least);
  }

  private static String placement(Statement statement) throws SQLException {
    try (ResultSet places = statement.executeQuery("SHOW TOPOLOGY FROM t")) {
      assertTrue(places.next());
      return places.getString("PARTITIONING");
    }
  }

  private Void write(int port, int writer) throws SQLException {
    try (Connection connection = MiniCluster.connect(port, "moved", "");
        Statement statement = connection.createStatement()) {
      for (int id = FIRST_NEW + writer; !stop.get(); id += WRITERS) {
        statement.execute("INSERT INTO t VALUES (" + id + ", 0, NULL)");
        acknowledged.add(id);
      }
    }
    return null;
  }

  private Void transfer(int port, int writer) throws SQLException {
    try (Connection connection = MiniCluster.connect(port, "moved", "");
        Statement statement = connection.createStatement()) {
      for (int i = writer; !stop.get(); i++) {
        try {
          statement.execute("BEGIN");
          change(statement, "- 1", i % ACCOUNTS);
          change(statement, "+ 1", (i * 7 + 3) % ACCOUNTS);
          statement.execute("COMMIT");
        } catch (SQLException e) {
          if (e.getErrorCode() != DEADLOCK) {
            throw e;
          }
        }
      }
    }
    return null;
  }

  private static void change(Statement statement, String how, int id) throws SQLException {
    statement.execute("UPDATE t SET balance = balance " + how + " WHERE id = " + id);
  }

  private Void read(int port, boolean prepared) throws SQLException {
    try (Connection connection =
            MiniCluster.connect(port, "moved", "&useServerPrepStmts=" + prepared);
        PreparedStatement one = connection.prepareStatement("SELECT balance FROM t WHERE id = ?");
        PreparedStatement all =
            connection.prepareStatement("SELECT COUNT(*), SUM(balance) FROM t WHERE id < ?")) {
      for (int i = 0; !stop.get(); i++) {
        one.setInt(1, i % ACCOUNTS);
        try (ResultSet row = one.executeQuery()) {
          assertTrue(row.next());
        }
        all.setInt(1, FIRST_NEW);
        try (ResultSet row = all.executeQuery()) {
          assertTrue(row.next());
          assertEquals(ACCOUNTS, row.getInt(1));
          assertEquals(100 * ACCOUNTS, row.getInt(2));
        }
        reads.incrementAndGet();
      }
    }
    return null;
  }
}
