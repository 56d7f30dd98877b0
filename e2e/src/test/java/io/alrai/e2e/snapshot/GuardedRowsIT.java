package io.alrai.e2e.snapshot;

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
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/**
 * A row that is only locked guards rows of another DN, as it does on one mysqld: the next holder of
 * its lock sees what all holders before it wrote, also by reads that do not lock.
 */
@ExtendWith(Servers.Shared.class)
class GuardedRowsIT {
  private static final int SESSIONS = 3;
  private static final int ROUNDS = 40;

  @Test
  void counterIsRaisedByOneSessionAtATime(Servers servers) throws Exception {
    int port = servers.cluster().port();
    Servers.freshSchema(port, "guarded");
    try (Connection connection = MiniCluster.connect(port, "guarded", "");
        Statement statement = connection.createStatement();
        ExecutorService threads = Executors.newFixedThreadPool(SESSIONS)) {
      statement.execute(
          "CREATE TABLE t (id INT PRIMARY KEY, n INT NOT NULL) PARTITION BY HASH(id) PARTITIONS 2");
      statement.execute("INSERT INTO t VALUES (0, 0), (1, 0), (2, 0), (4, 0), (6, 0)");
      List<Future<?>> all = new ArrayList<>();
      for (int i = 0; i < SESSIONS; i++) {
        int own = 2 + 2 * i;
        all.add(
            threads.submit(() -> {
              raise(port, own);
              return null;
            }));
      }
      for (Future<?> one : all) {
        one.get();
      }
      assertEquals(
          Integer.toString(SESSIONS * ROUNDS),
          Servers.only(statement, "SELECT n FROM t WHERE id = 0"));
    }
  }

  /** The guard is row 1; the counter, row 0, and the session's own row are on the other DN. */
  private static void raise(int port, int own) throws SQLException {
    try (Connection connection = MiniCluster.connect(port, "guarded", "");
        Statement statement = connection.createStatement()) {
      for (int i = 0; i < ROUNDS; i++) {
        statement.execute("BEGIN");
        statement.execute("UPDATE t SET n = n + 1 WHERE id = " + own);
        Servers.only(statement, "SELECT n FROM t WHERE id = 1 FOR UPDATE");
        int seen = Integer.parseInt(Servers.only(statement, "SELECT n FROM t WHERE id = 0"));
        statement.execute("UPDATE t SET n = " + (seen + 1) + " WHERE id = 0");
        statement.execute("COMMIT");
      }
    }
  }
}
