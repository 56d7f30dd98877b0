package io.alrai.e2e.snapshot;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.alrai.common.metrics.Metric;
import io.alrai.dn.role.DnAgent;
import io.alrai.e2e.Servers;
import io.alrai.testing.MiniCluster;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** Replies to reads of single rows are kept, and nobody can tell but by the time it takes. */
@ExtendWith(Servers.Shared.class)
class RowCacheIT {
  private static final int KEYS = 24;
  private static final String SCHEMA = "kept";
  private static final String PREPARED = "&useServerPrepStmts=true";

  private int port;

  @BeforeEach
  void rows(Servers servers) throws SQLException {
    port = servers.cluster().port();
    Servers.freshRows(port, SCHEMA, KEYS, 0);
  }

  private Connection connect(String properties) throws SQLException {
    return MiniCluster.connect(port, SCHEMA, properties);
  }

  private static long hits(Statement statement) throws SQLException {
    String like = Metric.ROWS_FOUND.statusName().replace("_", "\\_");
    long all = 0;
    try (ResultSet rows = statement.executeQuery("SHOW STATUS LIKE '" + like + "%'")) {
      while (rows.next()) {
        all += rows.getLong(2);
      }
    }
    return all;
  }

  /** Reads until a reply that was kept answers, and checks that it is the same. */
  private static String kept(Statement statement, String query) throws SQLException {
    long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(20);
    String first = Servers.only(statement, query);
    while (System.nanoTime() < end) {
      long before = hits(statement);
      assertEquals(first, Servers.only(statement, query));
      if (hits(statement) > before) {
        return first;
      }
    }
    throw new AssertionError("never kept: " + query);
  }

  private static void assertNotKept(Statement statement, String query) throws SQLException {
    for (int i = 0; i < 20; i++) {
      Servers.only(statement, query);
    }
    long before = hits(statement);
    for (int i = 0; i < 20; i++) {
      Servers.only(statement, query);
    }
    assertEquals(before, hits(statement), query);
  }

  @Test
  void readsAreNeverBehindCommits() throws Exception {
    try (Connection connection = connect("");
        Statement statement = connection.createStatement()) {
      long before = hits(statement);
      new NumberedRows(port, SCHEMA, KEYS, false).run(6, () -> {});
      long found = hits(statement) - before;
      assertTrue(found > 50, found + " found");
    }
  }

  /** On a cluster of its own, so that no other test meets a mysqld that is gone. */
  @Test
  void norWhenMysqldsDie() throws Exception {
    try (MiniCluster cluster = MiniCluster.start(2)) {
      Servers.freshRows(cluster.port(), SCHEMA, KEYS, 0);
      new NumberedRows(cluster.port(), SCHEMA, KEYS, true)
          .run(
              12,
              () -> {
                for (DnAgent agent : cluster.cluster().agents()) {
                  TimeUnit.SECONDS.sleep(3);
                  agent.supervisor().crash();
                }
              });
    }
  }

  /** Money moves between rows of all DNs; transactions read row by row. */
  @Test
  void transactionsReadAllRowsAtTheirSnapshot() throws Exception {
    AtomicBoolean over = new AtomicBoolean();
    try (Connection connection = connect("");
        Statement statement = connection.createStatement();
        ExecutorService threads = Executors.newFixedThreadPool(4)) {
      long before = hits(statement);
      List<Future<Integer>> movers =
          List.of(threads.submit(() -> move(over)), threads.submit(() -> move(over)));
      Future<Integer> text = threads.submit(() -> sums("", over));
      Future<Integer> prepared = threads.submit(() -> sums(PREPARED, over));
      int sums;
      try {
        sums = text.get() + prepared.get();
      } finally {
        over.set(true);
      }
      int moves = 0;
      for (Future<Integer> mover : movers) {
        moves += mover.get();
      }
      assertTrue(moves > 50 && sums > 50, moves + " moves, " + sums + " sums");
      long found = hits(statement) - before;
      assertTrue(found > 50, found + " found");
    }
  }

  private int move(AtomicBoolean over) throws Exception {
    int moves = 0;
    ThreadLocalRandom random = ThreadLocalRandom.current();
    try (Connection connection = connect("");
        Statement statement = connection.createStatement()) {
      while (!over.get()) {
        int from = 1 + random.nextInt(KEYS - 1);
        int to = from + 1 + random.nextInt(KEYS - from);
        statement.execute("BEGIN");
        statement.execute("UPDATE t SET b = b - 1 WHERE a = " + from);
        statement.execute("UPDATE t SET b = b + 1 WHERE a = " + to);
        statement.execute("COMMIT");
        moves++;
        TimeUnit.MILLISECONDS.sleep(random.nextInt(40));
      }
    }
    return moves;
  }

  private int sums(String properties, AtomicBoolean over) throws SQLException {
    long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(6);
    int sums = 0;
    try (Connection connection = connect(properties);
        PreparedStatement select = connection.prepareStatement("SELECT b FROM t WHERE a = ?")) {
      connection.setAutoCommit(false);
      while (System.nanoTime() < end && !over.get()) {
        int sum = 0;
        for (int key = 1; key <= KEYS; key++) {
          select.setInt(1, key);
          try (ResultSet rows = select.executeQuery()) {
            rows.next();
            sum += rows.getInt(1);
          }
        }
        connection.commit();
        assertEquals(0, sum);
        sums++;
      }
    }
    return sums;
  }

  @Test
  void definitionsAndWholesaleChangesAreSeenAtOnce() throws SQLException {
    try (Connection connection = connect("");
        Statement statement = connection.createStatement()) {
      String row = "SELECT * FROM t WHERE a = 3";
      assertEquals("3", kept(statement, row));
      statement.execute("ALTER TABLE t ADD COLUMN c INT NOT NULL DEFAULT 9 FIRST");
      assertEquals("9", kept(statement, row));
      statement.execute("ALTER TABLE t DROP COLUMN c");
      assertEquals("3", kept(statement, row));
      statement.execute("RENAME TABLE t TO other");
      statement.execute("CREATE TABLE t (a INT PRIMARY KEY, b INT)");
      assertEquals(List.of(), Servers.column(connection, row));
      statement.execute("INSERT INTO t VALUES (3, 4)");
      assertEquals("4", kept(statement, "SELECT b FROM t WHERE a = 3"));
      statement.execute("TRUNCATE TABLE t");
      assertEquals(List.of(), Servers.column(connection, "SELECT b FROM t WHERE a = 3"));
      statement.execute("INSERT INTO t SELECT * FROM other");
      assertEquals("0", kept(statement, "SELECT b FROM t WHERE a = 3"));
      statement.execute("UPDATE t SET b = 5");
      assertEquals("5", kept(statement, "SELECT b FROM t WHERE a = 3"));
      statement.execute("DELETE FROM t");
      assertEquals(List.of(), Servers.column(connection, "SELECT b FROM t WHERE a = 3"));
    }
  }

  @Test
  void lockedTablesAreWaitedFor() throws Exception {
    try (Connection connection = connect("");
        Statement statement = connection.createStatement();
        Connection locking = connect("");
        Statement locker = locking.createStatement();
        ExecutorService threads = Executors.newFixedThreadPool(1)) {
      kept(statement, "SELECT b FROM t WHERE a = 3");
      locker.execute("LOCK TABLES t WRITE");
      locker.execute("UPDATE t SET b = 7");
      Future<String> read =
          threads.submit(() -> Servers.only(statement, "SELECT b FROM t WHERE a = 3"));
      assertThrows(TimeoutException.class, () -> read.get(300, TimeUnit.MILLISECONDS));
      locker.execute("UPDATE t SET b = 8");
      locker.execute("UNLOCK TABLES");
      assertEquals("8", read.get());
      assertEquals("8", kept(statement, "SELECT b FROM t WHERE a = 3"));
    }
  }

  @Test
  void whatTransactionsAndIsolationMeanStaysTrue() throws SQLException {
    try (Connection connection = connect("");
        Statement statement = connection.createStatement();
        Connection other = connect("");
        Statement writer = other.createStatement()) {
      String row = "SELECT b FROM t WHERE a = 3";
      kept(statement, row);
      statement.execute("BEGIN");
      assertEquals("0", Servers.only(statement, row));
      writer.execute("UPDATE t SET b = 1 WHERE a = 3");
      assertEquals("1", kept(writer, row));
      assertEquals("0", Servers.only(statement, row));
      statement.execute("UPDATE t SET b = b + 10 WHERE a = 3");
      assertEquals("11", Servers.only(statement, row));
      assertEquals("1", Servers.only(writer, row));
      writer.execute("SET SESSION TRANSACTION ISOLATION LEVEL READ UNCOMMITTED");
      assertEquals("11", Servers.only(writer, row));
      assertNotKept(writer, row);
      statement.execute("ROLLBACK");
      assertEquals("1", Servers.only(writer, row));
      statement.execute("SET SESSION TRANSACTION ISOLATION LEVEL READ COMMITTED");
      statement.execute("BEGIN");
      assertEquals("1", Servers.only(statement, row));
      writer.execute("UPDATE t SET b = 2 WHERE a = 3");
      assertEquals("2", Servers.only(statement, row));
      statement.execute("COMMIT");
      statement.execute("XA START 'kept'");
      statement.execute("UPDATE t SET b = 30 WHERE a = 3");
      statement.execute("XA END 'kept'");
      statement.execute("XA PREPARE 'kept'");
      writer.execute("SET SESSION TRANSACTION ISOLATION LEVEL REPEATABLE READ");
      assertEquals("2", Servers.only(writer, row));
      statement.execute("XA COMMIT 'kept'");
      assertEquals("30", Servers.only(writer, row));
    }
  }

  @Test
  void settingsOfTheSessionHoldForWhatIsKept() throws SQLException {
    try (Connection connection = connect("");
        Statement statement = connection.createStatement()) {
      statement.execute("DROP TABLE IF EXISTS u");
      statement.execute("CREATE TABLE u (id INT PRIMARY KEY, at TIMESTAMP, c CHAR(4))");
      statement.execute("SET time_zone = '+00:00'");
      statement.execute("INSERT INTO u VALUES (1, '2024-02-29 12:00:00', 'x')");
      String at = "SELECT at FROM u WHERE id = 1";
      String padded = "SELECT c FROM u WHERE c LIKE 'x   ' AND id = 1";
      assertEquals("2024-02-29 12:00:00", kept(statement, at));
      statement.execute("SET time_zone = '+05:30'");
      assertEquals("2024-02-29 17:30:00", kept(statement, at));
      assertEquals(List.of(), Servers.column(connection, padded));
      assertEquals(List.of(), Servers.column(connection, padded));
      statement.execute("SET sql_mode = CONCAT(@@sql_mode, ',PAD_CHAR_TO_FULL_LENGTH')");
      assertEquals("x   ", kept(statement, padded));
      assertNotKept(statement, "SELECT NOW(6), c FROM u WHERE id = 1");
      assertNotKept(statement, "SELECT c FROM u WHERE id = 1 FOR SHARE");
      assertNotKept(statement, "SELECT c FROM u WHERE id = '1'");
      assertNotKept(statement, "SELECT @@sql_mode FROM u WHERE id = 1");
      statement.execute("SET sql_auto_is_null = ON");
      assertEquals("x   ", kept(statement, padded));
    }
  }

  /** By a part of the key, or by none of it. */
  @Test
  void readsOfSeveralRowsSeeNewOnes() throws SQLException {
    try (Connection connection = connect("");
        Statement statement = connection.createStatement()) {
      statement.execute(
          "CREATE TABLE line (o INT, l INT, v INT, PRIMARY KEY (o, l)) PARTITION BY KEY(o)");
      statement.execute("INSERT INTO line VALUES (1, 1, 10), (1, 2, 20), (2, 1, 30)");
      String lines = "SELECT COUNT(*) FROM line WHERE o = 1 AND v > 5";
      assertEquals("2", kept(statement, lines));
      statement.execute("INSERT INTO line VALUES (1, 3, 7)");
      assertEquals("3", kept(statement, lines));
      statement.execute("INSERT INTO line VALUES (2, 2, 8)");
      assertEquals("3", keptByNow(statement, lines));
      statement.execute("UPDATE line SET o = 2, l = 9 WHERE o = 1 AND l = 3");
      assertEquals("2", kept(statement, lines));
      statement.execute("CREATE TABLE name (code VARCHAR(9) PRIMARY KEY, v INT) SINGLE");
      statement.execute("INSERT INTO name VALUES ('ä', 1), ('b', 2)");
      String byCode = "SELECT v FROM name WHERE code = 'A'";
      assertEquals("1", kept(statement, byCode));
      statement.execute("UPDATE name SET v = 3 WHERE code = 'a'");
      assertEquals("3", kept(statement, byCode));
      statement.execute("DELETE FROM name WHERE code = 'a'");
      assertEquals("no row", kept(statement, byCode));
      statement.execute("INSERT INTO name VALUES ('a', 4)");
      assertEquals("4", kept(statement, byCode));
    }
  }

  private static String keptByNow(Statement statement, String query) throws SQLException {
    long before = hits(statement);
    String answer = Servers.only(statement, query);
    assertEquals(before + 1, hits(statement), query);
    return answer;
  }

  /** MySQL before 9.6 does not log what cascades do. */
  @Test
  void tablesWithForeignKeysAreNotKept() throws SQLException {
    try (Connection connection = connect("");
        Statement statement = connection.createStatement()) {
      statement.execute("DROP DATABASE IF EXISTS kept_one");
      statement.execute("CREATE DATABASE kept_one DEFAULT PARTITIONS 1");
      statement.execute("USE kept_one");
      statement.execute("CREATE TABLE p (id INT PRIMARY KEY)");
      statement.execute(
          "CREATE TABLE c (id INT PRIMARY KEY, p INT, FOREIGN KEY (p) REFERENCES p (id)"
              + " ON UPDATE CASCADE)");
      statement.execute("INSERT INTO p VALUES (1)");
      statement.execute("INSERT INTO c VALUES (5, 1)");
      kept(statement, "SELECT id FROM p WHERE id = 1");
      assertNotKept(statement, "SELECT p FROM c WHERE id = 5");
      // these depend on all rows, and on no column of the key
      kept(statement, "SELECT COUNT(*) FROM p");
      assertNotKept(statement, "SELECT COUNT(*) FROM c WHERE p = 1");
      statement.execute("UPDATE p SET id = 2");
      assertEquals("2", Servers.only(statement, "SELECT p FROM c WHERE id = 5"));
      assertEquals(List.of(), Servers.column(connection, "SELECT id FROM p WHERE id = 1"));
      statement.execute("DROP DATABASE kept_one");
    }
  }

  @Test
  void itCanBeTurnedOff() throws SQLException {
    try (Connection connection = connect("");
        Statement statement = connection.createStatement()) {
      String row = "SELECT b FROM t WHERE a = 3";
      kept(statement, row);
      assertEquals("1", Servers.only(statement, "SELECT @@GLOBAL.row_cache"));
      statement.execute("SET GLOBAL row_cache = OFF");
      try {
        assertNotKept(statement, row);
        assertEquals("0", Servers.only(statement, "SELECT @@row_cache"));
      } finally {
        statement.execute("SET GLOBAL row_cache = DEFAULT");
      }
      kept(statement, row);
    }
  }
}
