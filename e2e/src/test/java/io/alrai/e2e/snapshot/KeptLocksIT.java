package io.alrai.e2e.snapshot;

import static io.alrai.e2e.Servers.only;
import static org.junit.jupiter.api.Assertions.assertEquals;

import io.alrai.e2e.Servers;
import io.alrai.testing.MiniCluster;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * A row that a transaction has locked is a mutex: its next holder sees what the transaction has
 * committed on other DNs, also where the transaction changed nothing on the row's own DN.
 */
class KeptLocksIT {
  private static final MiniCluster CLUSTER = MiniCluster.start(3);

  @AfterAll
  static void stop() {
    CLUSTER.close();
  }

  private static final int ROWS = 30;
  private static final int SESSIONS = 4;
  private static final int ROUNDS = 60;
  private static final int DEADLOCK = 1213;

  /** Rows 1 to 4 are mutexes, 5 to 8 counters, the others the sessions' own. */
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "useAffectedRows=true | UPDATE t SET b = b WHERE a = %d",
        "useAffectedRows=false | UPDATE t SET b = b WHERE a = %d",
        "useAffectedRows=true | DELETE FROM t WHERE a = %d AND b < 0",
        "useAffectedRows=true | INSERT IGNORE INTO t VALUES (%d, 7)",
        "useAffectedRows=false | INSERT INTO t VALUES (%d, 7) ON DUPLICATE KEY UPDATE b = t.b",
        "useAffectedRows=true | DO 1"
      })
  void theNextHolderSeesWhatTheLastOneCommitted(String property, String idle) throws Exception {
    int port = CLUSTER.port();
    Servers.freshRows(port, "keptlocks", ROWS, 0);
    int commits = 0;
    try (ExecutorService sessions = Executors.newVirtualThreadPerTaskExecutor()) {
      List<Future<Integer>> all = new ArrayList<>();
      for (int i = 1; i <= SESSIONS; i++) {
        int first = 8 + 3 * i;
        String own = first + "," + (first + 1) + "," + (first + 2);
        all.add(sessions.submit(() -> session(port, "&" + property, idle, own)));
      }
      for (Future<Integer> one : all) {
        commits += one.get(120, TimeUnit.SECONDS);
      }
    }
    try (Connection connection = MiniCluster.connect(port, "keptlocks", "");
        Statement statement = connection.createStatement()) {
      assertEquals(
          Integer.toString(commits),
          only(statement, "SELECT SUM(b) FROM t WHERE a BETWEEN 5 AND 8"),
          "a commit was overwritten by who had not seen it");
    }
  }

  private static int session(int port, String properties, String idle, String own)
      throws SQLException {
    int commits = 0;
    try (Connection connection = MiniCluster.connect(port, "keptlocks", properties);
        Statement statement = connection.createStatement()) {
      for (int round = 0; round < ROUNDS; round++) {
        int mutex = 1 + round % 4;
        try {
          statement.execute("BEGIN");
          if (round % 2 == 0) {
            statement.execute("UPDATE t SET b = b + 1 WHERE a IN (" + own + ")");
          }
          only(statement, "SELECT b FROM t WHERE a = " + mutex + " FOR UPDATE");
          int counter = 5 + mutex % 4;
          int now = Integer.parseInt(only(statement, "SELECT b FROM t WHERE a = " + counter));
          statement.execute(idle.formatted(mutex));
          if (round % 2 == 1) {
            statement.execute("UPDATE t SET b = b + 1 WHERE a IN (" + own + ")");
          }
          statement.execute("UPDATE t SET b = " + (now + 1) + " WHERE a = " + counter);
          statement.execute("COMMIT");
          commits++;
        } catch (SQLException e) {
          if (e.getErrorCode() != DEADLOCK) {
            throw e;
          }
        }
      }
    }
    return commits;
  }
}
