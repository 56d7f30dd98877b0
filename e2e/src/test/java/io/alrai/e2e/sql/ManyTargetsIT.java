package io.alrai.e2e.sql;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.alrai.e2e.Servers;
import io.alrai.testing.MiniCluster;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** Statements that write several tables of unequal partitioning, many at the same time. */
@ExtendWith(Servers.Shared.class)
class ManyTargetsIT {
  private static final int ROWS = 6;
  private static final int WRITERS = 4;
  private static final int STATEMENTS = 25;
  private static final String TOTAL = "SELECT (SELECT SUM(b) FROM t) + (SELECT SUM(c) FROM u)";

  private static int fresh(Servers servers, String schema) throws SQLException {
    int port = servers.cluster().port();
    Servers.freshRows(port, schema, ROWS, 100);
    try (Connection connection = MiniCluster.connect(port, schema, "")) {
      Servers.run(
          connection,
          "CREATE TABLE u (k INT PRIMARY KEY, c INT, times INT) PARTITION BY KEY(k) PARTITIONS 3",
          "INSERT INTO u SELECT a, b, 0 FROM t",
          "CREATE TABLE bc (a INT PRIMARY KEY, n INT) BROADCAST",
          "INSERT INTO bc SELECT a, 0 FROM t");
    }
    return port;
  }

  /** Runs the same work in several threads to its end. */
  private static void together(Callable<?> work) throws Exception {
    try (ExecutorService writers = Executors.newVirtualThreadPerTaskExecutor()) {
      List<Future<?>> running = new ArrayList<>();
      for (int i = 0; i < WRITERS; i++) {
        running.add(writers.submit(work));
      }
      for (Future<?> one : running) {
        one.get();
      }
    }
  }

  @Test
  void theTotalOfTwoTablesIsTheSameAtEverySnapshot(Servers servers) throws Exception {
    int port = fresh(servers, "manytotals");
    AtomicBoolean done = new AtomicBoolean();
    try (ExecutorService readers = Executors.newVirtualThreadPerTaskExecutor()) {
      Future<Integer> reader =
          readers.submit(() -> {
            int read = 0;
            try (Connection connection = MiniCluster.connect(port, "manytotals", "");
                Statement statement = connection.createStatement()) {
              while (!done.get()) {
                assertEquals("" + 2 * ROWS * 100, Servers.only(statement, TOTAL));
                read++;
              }
            }
            return read;
          });
      try {
        together(() -> {
          Random random = new Random();
          try (Connection connection = MiniCluster.connect(port, "manytotals", "");
              Statement statement = connection.createStatement()) {
            for (int i = 0; i < STATEMENTS; i++) {
              int amount = random.nextInt(1, 50);
              String sql =
                  "UPDATE t JOIN u ON u.k = %d SET t.b = t.b - %d, u.c = u.c + %d,"
                      + " u.times = u.times + 1 WHERE t.a = %d";
              int from = random.nextInt(1, ROWS + 1);
              int to = random.nextInt(1, ROWS + 1);
              assertEquals(2, statement.executeUpdate(sql.formatted(to, amount, amount, from)));
            }
          }
          return null;
        });
      } finally {
        done.set(true);
      }
      assertTrue(reader.get() > 0, "no total was read");
    }
    try (Connection connection = MiniCluster.connect(port, "manytotals", "");
        Statement statement = connection.createStatement()) {
      assertEquals("" + 2 * ROWS * 100, Servers.only(statement, TOTAL));
      assertEquals("" + WRITERS * STATEMENTS, Servers.only(statement, "SELECT SUM(times) FROM u"));
    }
  }

  @Test
  void everyCopyOfABroadcastTableGetsEveryChange(Servers servers) throws Exception {
    int port = fresh(servers, "manycopies");
    together(() -> {
      try (Connection connection = MiniCluster.connect(port, "manycopies", "");
          Statement statement = connection.createStatement()) {
        for (int i = 0; i < STATEMENTS; i++) {
          assertEquals(
              2,
              statement.executeUpdate(
                  "UPDATE bc JOIN t ON t.a = bc.a SET bc.n = bc.n + 1, t.b = bc.n"
                      + " WHERE bc.a = "
                      + (1 + i % 2)));
        }
      }
      return null;
    });
    try (Connection connection = MiniCluster.connect(port, "manycopies", "");
        Statement statement = connection.createStatement()) {
      for (int i = 0; i < 20; i++) { // each DN answers some of them
        assertEquals("" + WRITERS * STATEMENTS, Servers.only(statement, "SELECT SUM(n) FROM bc"));
      }
    }
  }

  /** Their rows have other hidden keys on each DN, and come in another order where many insert. */
  @Test
  void copiesWithoutAPrimaryKeyStayEqual(Servers servers) throws Exception {
    int port = fresh(servers, "manykeyless");
    try (Connection connection = MiniCluster.connect(port, "manykeyless", "")) {
      Servers.run(connection, "CREATE TABLE nk (a INT, n INT, r DOUBLE) BROADCAST");
    }
    together(() -> {
      try (Connection connection = MiniCluster.connect(port, "manykeyless", "")) {
        for (int i = 0; i < STATEMENTS; i++) {
          Servers.run(connection, "INSERT INTO nk VALUES (1, " + i + ", 0), (2, " + i + ", 0)");
        }
      }
      return null;
    });
    together(() -> {
      try (Connection connection = MiniCluster.connect(port, "manykeyless", "");
          Statement statement = connection.createStatement()) {
        for (int i = 0; i < 4; i++) {
          assertEquals(3, statement.executeUpdate("DELETE FROM nk WHERE a = 1 LIMIT 3"));
          assertEquals(
              2,
              statement.executeUpdate("UPDATE nk SET n = n + 100 WHERE a = 2 ORDER BY n LIMIT 2"));
          statement.executeUpdate("UPDATE nk SET r = RAND() WHERE n = " + i);
          statement.executeUpdate(
              "UPDATE nk JOIN t ON t.a = nk.a SET nk.a = 3, t.b = t.b + 1 WHERE nk.n = " + (i + 8));
        }
      }
      return null;
    });
    try (Connection connection = MiniCluster.connect(port, "manykeyless", "");
        Statement statement = connection.createStatement()) {
      statement.execute("SET group_concat_max_len = 1000000");
      String rows = "SELECT GROUP_CONCAT(a, ' ', n, ' ', r ORDER BY a, n, r) FROM nk";
      String first = Servers.only(statement, rows);
      for (int i = 0; i < 20; i++) { // each DN answers some of them
        assertEquals(first, Servers.only(statement, rows));
      }
    }
  }

  /** In statements of their own, and in transactions whose snapshot is older than the row. */
  @Test
  void duplicatesAreChangedByWhatTheyAreByThen(Servers servers) throws Exception {
    int port = fresh(servers, "manydups");
    String upsert =
        "INSERT INTO t (a, b) VALUES (1, 0) ON DUPLICATE KEY UPDATE"
            + " b = (SELECT t.b + COUNT(*) FROM u WHERE u.k = t.a)";
    together(() -> {
      try (Connection connection = MiniCluster.connect(port, "manydups", "");
          Statement statement = connection.createStatement()) {
        for (int i = 0; i < STATEMENTS; i++) {
          if (i % 5 == 0) {
            Servers.run(connection, "BEGIN", "SELECT COUNT(*) FROM t");
          }
          assertEquals(2, statement.executeUpdate(upsert));
          Servers.run(connection, "COMMIT");
        }
      }
      return null;
    });
    try (Connection connection = MiniCluster.connect(port, "manydups", "");
        Statement statement = connection.createStatement()) {
      assertEquals(
          "" + (100 + WRITERS * STATEMENTS),
          Servers.only(statement, "SELECT b FROM t WHERE a = 1"));
    }
  }

  @Test
  void aTransactionHoldsWhatItWroteInBothTables(Servers servers) throws SQLException {
    int port = fresh(servers, "manylocks");
    try (Connection mine = MiniCluster.connect(port, "manylocks", "");
        Connection other = MiniCluster.connect(port, "manylocks", "");
        Statement statement = other.createStatement()) {
      Servers.run(mine, "BEGIN", "UPDATE t JOIN u ON u.k = t.a SET t.b = 1, u.c = 2 WHERE t.a = 3");
      Servers.run(other, "SET innodb_lock_wait_timeout = 1");
      for (String sql :
          List.of("UPDATE t SET b = 0 WHERE a = 3", "UPDATE u SET c = 0 WHERE k = 3")) {
        SQLException waited = assertThrows(SQLException.class, () -> statement.executeUpdate(sql));
        assertEquals(1205, waited.getErrorCode(), waited.getMessage());
      }
      Servers.run(mine, "ROLLBACK");
      assertEquals("100", Servers.only(statement, "SELECT b FROM t WHERE a = 3"));
      assertEquals("100", Servers.only(statement, "SELECT c FROM u WHERE k = 3"));
    }
  }

  @Test
  void whatAnotherHasChangedSinceTheSnapshotIsRefused(Servers servers) throws SQLException {
    int port = fresh(servers, "manystrict");
    String both = "UPDATE t JOIN u ON u.k = t.a SET t.b = t.b + 1, u.c = u.c + 1 WHERE t.a = 3";
    try (Connection mine = MiniCluster.connect(port, "manystrict", "");
        Connection other = MiniCluster.connect(port, "manystrict", "");
        Statement statement = mine.createStatement()) {
      statement.execute("SET snapshot_isolation_conflicts = ON");
      Servers.run(mine, "BEGIN", "SELECT * FROM t");
      assertEquals(2, statement.executeUpdate(both));
      Servers.run(mine, "COMMIT", "BEGIN", "SELECT * FROM t");
      Servers.run(other, "UPDATE u SET c = 7 WHERE k = 3");
      SQLException lost = assertThrows(SQLException.class, () -> statement.executeUpdate(both));
      assertEquals(1213, lost.getErrorCode(), lost.getMessage());
      Servers.run(mine, "ROLLBACK");
    }
  }

  @Test
  void explainAndXaKnowThem(Servers servers) throws SQLException {
    int port = fresh(servers, "manyways");
    try (Connection connection = MiniCluster.connect(port, "manyways", "");
        Statement statement = connection.createStatement()) {
      explained(connection);
      Servers.run(
          connection,
          "XA START 'many'",
          "UPDATE t JOIN u ON u.k = t.a SET t.b = 1, u.c = 2 WHERE t.a < 3",
          "XA END 'many'",
          "XA PREPARE 'many'");
      try (Connection other = MiniCluster.connect(port, "manyways", "")) {
        explained(other);
      }
      Servers.run(connection, "XA COMMIT 'many'");
      assertEquals("2", Servers.only(statement, "SELECT SUM(b) FROM t WHERE a < 3"));
      assertEquals("4", Servers.only(statement, "SELECT SUM(c) FROM u WHERE k < 3"));
    }
  }

  /** Several times: each DN answers some of them. */
  private static void explained(Connection connection) throws SQLException {
    List<String> statements =
        List.of(
            "UPDATE t JOIN u ON u.k = t.a SET t.b = 1, u.c = 1",
            "DELETE t, u FROM t JOIN u ON u.k = t.a",
            "UPDATE bc JOIN t ON t.a = bc.a SET bc.n = 1, t.b = 2");
    for (int i = 0; i < 4; i++) {
      for (String sql : statements) {
        assertEquals(
            2, Servers.column(connection, "EXPLAIN FORMAT=TRADITIONAL " + sql).size(), sql);
      }
    }
  }
}
