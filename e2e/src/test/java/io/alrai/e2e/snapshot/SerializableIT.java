package io.alrai.e2e.snapshot;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.alrai.e2e.Servers;
import io.alrai.testing.MiniCluster;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/**
 * Write skew over two DNs: each transaction reads all rows, and takes one away while enough are
 * left. Snapshots let two of them take the last two; locking reads do not.
 */
@ExtendWith(Servers.Shared.class)
class SerializableIT {
  private static final int KEYS = 8;
  private static final int ROUNDS = 12;

  /** A deadlock, and a lock wait that took too long. */
  private static final Set<Integer> RETRY = Set.of(1213, 1205);

  @Test
  void explicitTransactionsHaveNoWriteSkew(Servers servers) throws Exception {
    assertEquals(0, broken(servers, "serbegin", "BEGIN", "SERIALIZABLE"));
  }

  @Test
  void withoutAutocommitThereIsNoneEither(Servers servers) throws Exception {
    assertEquals(0, broken(servers, "serauto", "SET autocommit = 0", "SERIALIZABLE"));
  }

  @Test
  void snapshotsAloneDoNotPreventIt(Servers servers) throws Exception {
    assertTrue(broken(servers, "serrr", "BEGIN", "REPEATABLE READ") > 0, "the test shows nothing");
  }

  /** Two sessions at a time take two different rows; gives how often they took both. */
  private static int broken(Servers servers, String schema, String begin, String level)
      throws Exception {
    int port = servers.cluster().port();
    Servers.freshRows(port, schema, KEYS, 1);
    int broken = 0;
    try (ExecutorService threads = Executors.newFixedThreadPool(2);
        Connection connection = MiniCluster.connect(port, schema, "");
        Statement statement = connection.createStatement()) {
      for (int round = 0; round < ROUNDS; round++) {
        statement.execute("UPDATE t SET b = 1");
        CyclicBarrier together = new CyclicBarrier(2);
        List<Future<Boolean>> both = new ArrayList<>();
        for (int i = 0; i < 2; i++) {
          int row = 1 + (round + i * (1 + round / 4)) % KEYS;
          both.add(threads.submit(() -> take(port, schema, begin, level, row, together)));
        }
        int taken = 0;
        for (Future<Boolean> one : both) {
          taken += one.get() ? 1 : 0;
        }
        int left = sum(statement);
        assertEquals(KEYS - taken, left);
        broken += left < KEYS - 1 ? 1 : 0;
      }
    }
    return broken;
  }

  private static int sum(Statement statement) throws SQLException {
    try (ResultSet rows = statement.executeQuery("SELECT SUM(b) FROM t")) {
      rows.next();
      return rows.getInt(1);
    }
  }

  /** Takes a row away if all were there when it looked. */
  private static boolean take(
      int port, String schema, String begin, String level, int row, CyclicBarrier together)
      throws Exception {
    try (Connection connection = MiniCluster.connect(port, schema, "");
        Statement statement = connection.createStatement()) {
      statement.execute("SET SESSION TRANSACTION ISOLATION LEVEL " + level);
      statement.execute(begin);
      int seen = sum(statement);
      together.await(1, TimeUnit.MINUTES);
      if (seen < KEYS) {
        statement.execute("ROLLBACK");
        return false;
      }
      statement.execute("UPDATE t SET b = 0 WHERE a = " + row);
      statement.execute("COMMIT");
      return true;
    } catch (SQLException e) {
      assertTrue(RETRY.contains(e.getErrorCode()), e.getMessage());
      return false;
    }
  }
}
