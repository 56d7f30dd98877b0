package io.alrai.e2e.columnar;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.alrai.columnar.serve.ColumnIndex;
import io.alrai.columnar.serve.IndexSnapshot;
import io.alrai.dn.mysqld.MysqldState;
import io.alrai.dn.mysqld.MysqldSupervisor;
import io.alrai.testing.ClusterProcess;
import io.alrai.testing.MiniCluster;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.OptionalLong;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.Collectors;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** Column indexes of tables that are written to, on two DNs. */
class ColumnIndexIT {
  private static final int ACCOUNTS = 200;
  private static final long MONEY = 1_000;
  private static final int WRITERS = 4;
  private static MiniCluster mini;

  @BeforeAll
  static void start() {
    mini = MiniCluster.start(2);
  }

  @AfterAll
  static void stop() {
    mini.close();
  }

  private static void run(Connection connection, String... texts) throws SQLException {
    try (Statement statement = connection.createStatement()) {
      for (String text : texts) {
        statement.execute(text);
      }
    }
  }

  private static List<List<String>> rows(Connection connection, String text) throws SQLException {
    try (Statement statement = connection.createStatement();
        ResultSet result = statement.executeQuery(text)) {
      List<List<String>> rows = new ArrayList<>();
      while (result.next()) {
        List<String> row = new ArrayList<>();
        for (int i = 1; i <= result.getMetaData().getColumnCount(); i++) {
          row.add(result.getString(i));
        }
        rows.add(row);
      }
      return rows;
    }
  }

  private static Connection fresh(String schema) throws SQLException {
    try (Connection connection = mini.connect("")) {
      run(connection, "DROP DATABASE IF EXISTS " + schema, "CREATE DATABASE " + schema);
    }
    return mini.connect(schema);
  }

  private static ColumnReads reads() {
    return new ColumnReads(mini.cluster());
  }

  /** MISSING, SURPLUS and DIFFERENT of each partition are 0; the rows of all. */
  private static long clean(Connection connection, String index, String table) throws SQLException {
    long rows = 0;
    for (List<String> partition :
        rows(connection, "CHECK COLUMNAR INDEX " + index + " ON " + table)) {
      assertEquals(List.of("0", "0", "0"), partition.subList(3, 6), partition.toString());
      rows += Long.parseLong(partition.get(2));
    }
    return rows;
  }

  /** Transfers between accounts of any DNs, until they shall stop. */
  private static final class Transfers {
    private final List<Thread> threads = new ArrayList<>();
    private final AtomicBoolean stop = new AtomicBoolean();
    private final AtomicLong done = new AtomicLong();

    Transfers(String schema) {
      for (int i = 0; i < WRITERS; i++) {
        Random random = new Random(i);
        threads.add(Thread.ofVirtual().start(() -> write(schema, random)));
      }
    }

    private void write(String schema, Random random) {
      while (!stop.get()) {
        try (Connection connection = mini.connect(schema)) {
          connection.setAutoCommit(false);
          while (!stop.get()) {
            int one = random.nextInt(ACCOUNTS - 1);
            int other = one + 1 + random.nextInt(ACCOUNTS - 1 - one);
            run(
                connection,
                "UPDATE a SET m = m - 1 WHERE id = " + one,
                "UPDATE a SET m = m + 1 WHERE id = " + other);
            connection.commit();
            done.incrementAndGet();
          }
        } catch (SQLException e) {
          Thread.onSpinWait(); // its DN was killed: again over another connection
        }
      }
    }

    long end() throws InterruptedException {
      stop.set(true);
      for (Thread thread : threads) {
        thread.join(30_000);
      }
      return done.get();
    }
  }

  private static void bank(Connection connection) throws SQLException {
    run(
        connection,
        "CREATE TABLE a (id INT PRIMARY KEY, m BIGINT NOT NULL) PARTITION BY KEY(id) PARTITIONS 4");
    StringBuilder values = new StringBuilder();
    for (int id = 0; id < ACCOUNTS; id++) {
      values.append(id == 0 ? "(" : ",(").append(id).append(',').append(MONEY).append(')');
    }
    run(connection, "INSERT INTO a VALUES " + values);
  }

  /** The bank's total is never wrong, from the build on, and through the death of a mysqld. */
  @Test
  void theTotalIsRightWhileMoneyMovesBetweenDns() throws Exception {
    try (Connection connection = fresh("cibank")) {
      bank(connection);
      Transfers transfers = new Transfers("cibank");
      run(connection, "CREATE CLUSTERED COLUMNAR INDEX ci ON a (id)");
      ColumnReads.Total right = new ColumnReads.Total(ACCOUNTS, ACCOUNTS * MONEY);
      List<Long> micros = new ArrayList<>();
      for (int i = 0; i < 300 || transfers.done.get() < 200; i++) {
        long start = System.nanoTime();
        try (IndexSnapshot snapshot = reads().open("cibank", "a")) {
          micros.add((System.nanoTime() - start) / 1_000);
          assertEquals(right, ColumnReads.total(snapshot, "m"));
        }
      }
      MysqldSupervisor victim = mini.cluster().agents().getLast().supervisor();
      OptionalLong before = victim.pid();
      victim.crash();
      int reads = 0;
      while (reads++ < 50 || !anew(victim, before)) {
        assertEquals(right, reads().total("cibank", "a", "m"));
      }
      long done = transfers.end();
      assertEquals(ACCOUNTS, clean(connection, "ci", "a"));
      Collections.sort(micros);
      System.out.printf(
          "freshness: a read that began now waited %d us (median), %d us (p99); %d transfers%n",
          micros.get(micros.size() / 2), micros.get(micros.size() * 99 / 100), done);
      assertTrue(done > 100, "only " + done);
    }
  }

  private static boolean anew(MysqldSupervisor mysqld, OptionalLong before) {
    return mysqld.state() == MysqldState.UP
        && mysqld.pid().isPresent()
        && !mysqld.pid().equals(before);
  }

  @Test
  void everyWriteThatWasAnsweredIsInIt() throws Exception {
    try (Connection connection = fresh("ciown")) {
      run(
          connection,
          "CREATE TABLE t (a INT PRIMARY KEY, b INT)",
          "CREATE CLUSTERED COLUMNAR INDEX ci ON t (a)");
      for (int i = 1; i <= 100; i++) {
        run(connection, "INSERT INTO t VALUES (" + i + "," + i + ")");
        assertEquals(new ColumnReads.Total(i, i * (i + 1L) / 2), reads().total("ciown", "t", "b"));
      }
      run(
          connection,
          "UPDATE t SET a = a + 1000, b = 1 WHERE a <= 50",
          "DELETE FROM t WHERE a = 60");
      assertEquals(new ColumnReads.Total(99, 50 + 3775 - 60), reads().total("ciown", "t", "b"));
      assertEquals(99, clean(connection, "ci", "t"));
    }
  }

  /** Rows that were loaded and rows that came from the log are the same, of every type. */
  @Test
  void allTypesAreLoadedAsTheyComeFromTheLog() throws Exception {
    try (Connection connection = fresh("citypes")) {
      run(
          connection,
          "CREATE TABLE t (id INT PRIMARY KEY, a TINYINT, b SMALLINT UNSIGNED, c MEDIUMINT,"
              + " d BIGINT, e BIGINT UNSIGNED, f YEAR, g BIT(37), h DECIMAL(9,2), i DECIMAL(38,10),"
              + " j FLOAT, k DOUBLE, l DATE, m DATETIME(3), n TIMESTAMP(6) NULL, o TIME(2),"
              + " p CHAR(10), q VARCHAR(50) CHARACTER SET latin1, r TEXT CHARACTER SET utf16,"
              + " s BINARY(5), u VARBINARY(9), v BLOB, w JSON, x ENUM('a','it''s','c'),"
              + " y SET('x','y','z'), z VARCHAR(20) COLLATE utf8mb4_bin,"
              + " ab INT AS (a + 1) STORED)");
      String values =
          "-7, 65000, -8388608, -9223372036854775808, 18446744073709551615, 2026, b'101', -12.34,"
              + " -1234567890123456789012345678.0123456789, 0.1, 1e-7, '1000-01-01',"
              + " '1969-12-31 23:59:59.123', '2026-11-21 01:02:03.456789', '-838:59:59', 'ab ',"
              + " _utf8mb4 0xC3A9, _utf8mb4 0xF09F9880, 0x0100, 0x00FF, REPEAT(0x01, 300),"
              + " '{\"k\": [1, 2.50, null, \"x\"]}', 'it''s', 'x,z', 'B '";
      String names = "id,a,b,c,d,e,f,g,h,i,j,k,l,m,n,o,p,q,r,s,u,v,w,x,y,z";
      String insert = "INSERT INTO t (" + names + ") VALUES ";
      run(connection, insert + "(1," + values + ")", "INSERT INTO t (id) VALUES (2)");
      run(connection, "CREATE CLUSTERED COLUMNAR INDEX ci ON t (id)");
      assertEquals(2, clean(connection, "ci", "t"));
      run(connection, insert + "(3," + values + ")", "INSERT INTO t (id) VALUES (4)");
      run(connection, "UPDATE t SET a = 3, w = '[true]' WHERE id IN (1, 3)");
      assertEquals(4, clean(connection, "ci", "t"));
    }
  }

  @Test
  void ddlOnItsTable() throws Exception {
    try (Connection connection = fresh("ciddl")) {
      bank(connection);
      run(connection, "CREATE CLUSTERED COLUMNAR INDEX ci ON a (id) PARTITION BY KEY(id)");
      assertTrue(rows(connection, "SHOW WARNINGS").toString().contains("PARTITION BY is ignored"));
      String definition = rows(connection, "SHOW CREATE TABLE `ciddl`.a").getFirst().get(1);
      assertTrue(definition.endsWith("\n/* CLUSTERED COLUMNAR INDEX `ci` (`id`) */"), definition);
      run(connection, "ALTER TABLE a ADD COLUMN n INT NOT NULL DEFAULT 2 FIRST");
      awaitReady("ciddl", "a");
      assertEquals(new ColumnReads.Total(ACCOUNTS, 2 * ACCOUNTS), reads().total("ciddl", "a", "n"));
      run(connection, "RENAME TABLE a TO b");
      awaitReady("ciddl", "b");
      assertEquals(ACCOUNTS, clean(connection, "ci", "b"));
      run(connection, "TRUNCATE TABLE b", "INSERT INTO b VALUES (5, 1, 7)");
      awaitReady("ciddl", "b");
      assertEquals(new ColumnReads.Total(1, 7), reads().total("ciddl", "b", "m"));
      List<String> shown = rows(connection, "SHOW COLUMNAR INDEX FROM b").getFirst();
      assertEquals(List.of("ciddl", "b", "ci", "id", "READY", "4", "1"), shown.subList(0, 7));
      run(connection, "DROP INDEX ci ON b");
      assertEquals(List.of(), rows(connection, "SHOW COLUMNAR INDEX FROM b"));
      assertTrue(mini.cluster().columnIndexes().find("ciddl", "b").isEmpty());
      run(connection, "CREATE CLUSTERED COLUMNAR INDEX again ON b (id)", "DROP TABLE b");
      assertEquals(Set.of(), indexedTables(connection, "ciddl"));
      run(
          connection,
          "CREATE TABLE k (id INT PRIMARY KEY, CLUSTERED COLUMNAR INDEX ck (id) PARTITION BY"
              + " KEY(id), m INT) PARTITION BY KEY(id) PARTITIONS 3",
          "INSERT INTO k VALUES (1, 4), (2, 5)");
      awaitReady("ciddl", "k");
      assertEquals(new ColumnReads.Total(2, 9), reads().total("ciddl", "k", "m"));
    }
  }

  @Test
  void viewsThatCheckWritesAreNoChangeOfIt() throws Exception {
    try (Connection connection = fresh("civiews")) {
      bank(connection);
      run(connection, "CREATE CLUSTERED COLUMNAR INDEX ci ON a (id)");
      awaitReady("civiews", "a");
      var before = mini.cluster().columnIndexes().find("civiews", "a").orElseThrow();
      run(
          connection,
          "CREATE VIEW rich AS SELECT id, m FROM a WHERE m >= 0 WITH CHECK OPTION",
          "UPDATE rich SET m = m + 1 WHERE id = 7");
      refused(connection, 1369, "UPDATE rich SET m = -1");
      run(connection, "DROP VIEW rich");
      assertEquals(ACCOUNTS, clean(connection, "ci", "a"));
      assertEquals(
          new ColumnReads.Total(ACCOUNTS, ACCOUNTS * MONEY + 1),
          reads().total("civiews", "a", "m"));
      assertSame(before, mini.cluster().columnIndexes().find("civiews", "a").orElseThrow());
      assertTrue(before.isReady());
    }
  }

  @Test
  void itIsThereAgainAfterARestart() throws Exception {
    try (Connection connection = fresh("cirestart")) {
      bank(connection);
      run(connection, "CREATE CLUSTERED COLUMNAR INDEX ci ON a (id)");
    }
    mini.restart();
    awaitReady("cirestart", "a");
    try (Connection connection = mini.connect("cirestart")) {
      run(connection, "UPDATE a SET m = m + 1 WHERE id = 7");
      assertEquals(
          new ColumnReads.Total(ACCOUNTS, ACCOUNTS * MONEY + 1),
          reads().total("cirestart", "a", "m"));
      assertEquals(ACCOUNTS, clean(connection, "ci", "a"));
    }
  }

  private static void awaitReady(String schema, String table) {
    ClusterProcess.await(
        "the index of " + table,
        () ->
            mini.cluster()
                .columnIndexes()
                .find(schema, table)
                .map(index -> index.isReady())
                .orElse(false));
  }

  @Test
  void whatCannotBeIndexedIsRefused() throws Exception {
    try (Connection connection = fresh("cirefused")) {
      run(
          connection,
          "CREATE TABLE t (a INT PRIMARY KEY, b INT, KEY kb (b))",
          "CREATE TABLE v (a INT PRIMARY KEY, b INT AS (a + 1) VIRTUAL)",
          "SET sql_mode = ''",
          "CREATE TABLE z (a INT PRIMARY KEY, d DATE)",
          "INSERT INTO z VALUES (1, '0000-00-00')");
      refused(connection, 1146, "CREATE CLUSTERED COLUMNAR INDEX ci ON x (a)");
      refused(connection, 1072, "CREATE CLUSTERED COLUMNAR INDEX ci ON t (c)");
      refused(connection, 1061, "CREATE CLUSTERED COLUMNAR INDEX KB ON t (a)");
      refused(connection, 1235, "CREATE CLUSTERED COLUMNAR INDEX ci ON v (a)");
      refused(connection, 1235, "CREATE CLUSTERED COLUMNAR INDEX ci ON z (a)");
      refused(
          connection,
          1235,
          "CREATE TABLE w (a INT PRIMARY KEY, b INT AS (a + 1) VIRTUAL, CLUSTERED COLUMNAR INDEX ci"
              + " (a))");
      refused(connection, 1064, "CREATE CLUSTERED COLUMNAR INDEX ci ON t");
      run(connection, "CREATE CLUSTERED COLUMNAR INDEX ci ON t (a)");
      refused(connection, 1061, "CREATE CLUSTERED COLUMNAR INDEX ci ON t (a)");
      refused(connection, 1235, "CREATE CLUSTERED COLUMNAR INDEX other ON t (a)");
      refused(connection, 1176, "CHECK COLUMNAR INDEX other ON t");
      assertEquals(Set.of("t"), indexedTables(connection, "cirefused"));
    }
  }

  /** It is reported once; the rows answer, and the index is there again when it is made anew. */
  @Test
  void aValueThatNoIndexHoldsEndsIt() throws Exception {
    try (Connection connection = fresh("ciheld")) {
      run(
          connection,
          "CREATE TABLE z (a INT PRIMARY KEY, d DATE)",
          "INSERT INTO z VALUES (1, '2024-02-29')",
          "CREATE CLUSTERED COLUMNAR INDEX ci ON z (a)",
          "CREATE TABLE y (a INT PRIMARY KEY, t LONGTEXT)",
          "CREATE CLUSTERED COLUMNAR INDEX ci ON y (a)",
          "SET sql_mode = ''",
          "INSERT INTO z VALUES (2, '0000-00-00')",
          "SET sql_mode = DEFAULT",
          "SET workload_type = 'AP'");
      ClusterProcess.await("the end of the index", () -> reason("ciheld").contains("cannot hold"));
      ColumnIndex given = mini.cluster().columnIndexes().find("ciheld", "z").orElseThrow();
      assertEquals(
          List.of(List.of("2", "0000-00-00")),
          rows(connection, "SELECT COUNT(*), CAST(MIN(d) AS CHAR) FROM z"));
      // by the time that another one was built anew thrice, this one would have been, too
      String insert = "INSERT INTO y VALUES (1, REPEAT('x', 9 << 20))";
      for (String large : List.of(insert, "DELETE FROM y", insert)) {
        failOnce(connection, "ciheld", "y", large);
      }
      assertSame(given, mini.cluster().columnIndexes().find("ciheld", "z").orElseThrow());
      run(
          connection,
          "UPDATE z SET d = NULL WHERE a = 2",
          "DROP INDEX ci ON z",
          "CREATE CLUSTERED COLUMNAR INDEX ci ON z (a)");
      assertEquals(2, clean(connection, "ci", "z"));
    }
  }

  /** Writes more than an index takes of one transaction: it fails, and is built anew. */
  private static void failOnce(Connection connection, String schema, String table, String large)
      throws Exception {
    ColumnIndex before = mini.cluster().columnIndexes().find(schema, table).orElseThrow();
    run(connection, large);
    ClusterProcess.await(
        "another index of " + table,
        () ->
            mini.cluster()
                .columnIndexes()
                .find(schema, table)
                .filter(index -> index != before && index.isReady())
                .isPresent());
  }

  private static String reason(String schema) {
    try (Connection connection = mini.connect(schema)) {
      return rows(connection, "SHOW COLUMNAR INDEX FROM z").getFirst().getLast();
    } catch (SQLException e) {
      throw new IllegalStateException(e);
    }
  }

  private static Set<String> indexedTables(Connection connection, String schema)
      throws SQLException {
    return rows(connection, "SHOW COLUMNAR INDEX").stream()
        .filter(row -> row.get(0).equals(schema))
        .map(row -> row.get(1))
        .collect(Collectors.toSet());
  }

  private static void refused(Connection connection, int errno, String sql) {
    SQLException error = assertThrows(SQLException.class, () -> run(connection, sql), sql);
    assertEquals(errno, error.getErrorCode(), error.getMessage());
  }
}
