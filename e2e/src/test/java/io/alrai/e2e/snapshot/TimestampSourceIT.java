package io.alrai.e2e.snapshot;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.alrai.e2e.Servers;
import io.alrai.testing.ClusterProcess;
import io.alrai.testing.MiniCluster;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

/** A cluster whose CNs take their timestamps from the GMS. */
class TimestampSourceIT {
  private static final int ROWS = 8;
  private static final int EACH = 100;

  private final AtomicLong transfers = new AtomicLong();
  private final AtomicLong sums = new AtomicLong();
  private final AtomicBoolean enough = new AtomicBoolean();

  private static long number(Statement statement, String query) throws SQLException {
    try (ResultSet rows = statement.executeQuery(query)) {
      rows.next();
      return rows.getLong(rows.getMetaData().getColumnCount());
    }
  }

  private void transfer(int port) {
    int from = 0;
    while (!enough.get()) {
      try (Connection connection = MiniCluster.connect(port, "tso", "");
          Statement statement = connection.createStatement()) {
        connection.setAutoCommit(false);
        while (!enough.get()) {
          from = from % ROWS + 1;
          statement.execute("UPDATE t SET b = b - 1 WHERE a = " + from);
          statement.execute("UPDATE t SET b = b + 1 WHERE a = " + (from % ROWS + 1));
          connection.commit();
          transfers.incrementAndGet();
        }
      } catch (SQLException lost) {
        // without timestamps nothing is committed; from the start again
      }
    }
  }

  private void sum(int port) {
    while (!enough.get()) {
      try (Connection connection = MiniCluster.connect(port, "tso", "");
          Statement statement = connection.createStatement()) {
        while (!enough.get()) {
          assertEquals(ROWS * EACH, number(statement, "SELECT SUM(b) FROM t"));
          sums.incrementAndGet();
        }
      } catch (SQLException lost) {
        // as above
      }
    }
  }

  private void awaitMore() {
    long before = transfers.get();
    long sumsBefore = sums.get();
    ClusterProcess.await(
        "transfers and sums", () -> transfers.get() > before + 20 && sums.get() > sumsBefore + 20);
  }

  @Test
  void noSumIsTornWhileTheGmsIsKilledAndBack() throws Exception {
    try (ExecutorService threads = Executors.newFixedThreadPool(2);
        ClusterProcess cluster =
            ClusterProcess.up(
                List.of(), "--processes", "--cns", "2", "--timestamp-source", "tso")) {
      int port = cluster.port();
      Servers.freshRows(port, "tso", ROWS, EACH);
      Future<?> writer = threads.submit(() -> transfer(port));
      Future<?> reader = threads.submit(() -> sum(port + 1));
      try {
        awaitMore();
        ClusterProcess.kill(cluster.role("gms-1").orElseThrow());
        awaitMore();
      } finally {
        enough.set(true);
      }
      writer.get();
      reader.get();
      try (Connection connection = MiniCluster.connect(port, "tso", "");
          Statement statement = connection.createStatement()) {
        long given = number(statement, "SHOW STATUS LIKE 'Alrai\\_tso\\_timestamps\\_total'");
        long decided = number(statement, "SHOW STATUS LIKE 'Alrai\\_2pc\\_decided\\_total'");
        assertTrue(decided > 0 && given >= decided, given + " for " + decided + " commits");
        assertEquals(ROWS * EACH, number(statement, "SELECT SUM(b) FROM t"));
      }
    }
  }
}
