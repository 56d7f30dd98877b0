package io.alrai.e2e.ddl;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.alrai.e2e.Servers;
import io.alrai.testing.ClusterProcess;
import io.alrai.testing.MiniCluster;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;

/**
 * A table is changed while transactions touch it on one DN and then on the other: an ALTER that
 * waits on one DN for each of two of them would have them wait for it and each other.
 */
@ExtendWith(Servers.Shared.class)
class AlteredUnderTransfersIT {
  private static final int ROWS = 60;
  private static final int WRITERS = 6;
  private static final int DEADLOCK = 1213;

  private final AtomicBoolean stop = new AtomicBoolean();
  private final AtomicInteger committed = new AtomicInteger();

  @Test
  @Timeout(value = 120, unit = TimeUnit.SECONDS)
  void bothGoOn(Servers servers) throws Exception {
    int port = servers.cluster().port();
    Servers.freshSchema(port, "altered_too");
    try (ExecutorService writers = Executors.newVirtualThreadPerTaskExecutor();
        Connection connection = MiniCluster.connect(port, "altered_too", "");
        Statement statement = connection.createStatement()) {
      statement.execute("CREATE TABLE u (a INT PRIMARY KEY, b INT)");
      for (int i = 0; i < ROWS; i++) {
        statement.execute("INSERT INTO u VALUES (" + i + ", 100)");
      }
      List<Future<?>> all = new ArrayList<>();
      for (int i = 0; i < WRITERS; i++) {
        int writer = i;
        all.add(writers.submit(() -> transfer(port, writer)));
      }
      for (int i = 0; i < 4; i++) {
        awaitCommits();
        statement.execute("ALTER TABLE u ADD COLUMN d INT DEFAULT 3");
        awaitCommits();
        statement.execute("ALTER TABLE u DROP COLUMN d");
      }
      stop.set(true);
      for (Future<?> one : all) {
        one.get();
      }
      try (ResultSet sum = statement.executeQuery("SELECT COUNT(*), SUM(b) FROM u")) {
        assertTrue(sum.next());
        assertEquals(ROWS, sum.getInt(1));
        assertEquals(100 * ROWS, sum.getInt(2));
      }
    }
  }

  private void awaitCommits() {
    int before = committed.get();
    ClusterProcess.await("twenty transfers", () -> committed.get() >= before + 20);
  }

  private Void transfer(int port, int writer) throws SQLException {
    try (Connection connection = MiniCluster.connect(port, "altered_too", "");
        Statement statement = connection.createStatement()) {
      for (int i = writer; !stop.get(); i += 7) {
        try {
          statement.execute("BEGIN");
          change(statement, "- 1", i % ROWS);
          change(statement, "+ 1", (i * 7 + 3) % ROWS);
          statement.execute("COMMIT");
          committed.incrementAndGet();
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
    statement.execute("UPDATE u SET b = b " + how + " WHERE a = " + id);
  }
}
