package io.alrai.e2e.admin;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.alrai.e2e.Servers;
import io.alrai.testing.MiniCluster;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.ResultSetMetaData;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** Statement digests of a cluster beside those of a mysqld. */
@ExtendWith(Servers.Shared.class)
class StatementDigestsIT {
  private static final String SUMMARY = "performance_schema.events_statements_summary_by_digest";
  private static final String HISTOGRAM =
      "performance_schema.events_statements_histogram_by_digest";
  private static final String LONG_NAME = "n".repeat(64);
  private static final String COUNTED =
      " WHERE SCHEMA_NAME = 'digested' AND DIGEST_TEXT NOT LIKE '%@@%'"
          + " AND DIGEST_TEXT NOT LIKE 'PREPARE%' AND DIGEST_TEXT NOT LIKE 'EXECUTE%'"
          + " AND DIGEST_TEXT NOT LIKE 'SELECT `a` + ?%' AND DIGEST_TEXT NOT LIKE 'TRUNCATE%'";

  private static final List<String> STATEMENTS =
      List.of(
          "CREATE TABLE `" + LONG_NAME + "` (a INT PRIMARY KEY, `größe 'x'` VARCHAR(20))",
          "INSERT INTO `" + LONG_NAME + "` VALUES (1, 'a'), (2, 'ö'), (3, NULL)",
          "INSERT INTO `" + LONG_NAME + "` VALUES (4, 'b')",
          "SELECT * FROM `" + LONG_NAME + "` WHERE a = 1",
          "select  *  from `" + LONG_NAME + "` /* why */ where a = 2 -- so",
          "SELECT * FROM `" + LONG_NAME + "` WHERE a IN (1, 2, 3)",
          "SELECT * FROM `" + LONG_NAME + "` WHERE a IN (1, 2)",
          "SELECT `größe 'x'`, COUNT(*) FROM `" + LONG_NAME + "` GROUP BY 1 ORDER BY 2 LIMIT 5",
          "UPDATE `" + LONG_NAME + "` SET `größe 'x'` = 'it''s' WHERE a > 1",
          "DELETE FROM `" + LONG_NAME + "` WHERE a = 3",
          "SELECT 1; SELECT 2 FROM DUAL; SELECT 'three'",
          "SELECT 1/0",
          "SELECT * FROM nowhere",
          "SELECT nothing FROM `" + LONG_NAME + "` WHERE a = 1",
          "INSERT INTO `" + LONG_NAME + "` VALUES (1, 'a')",
          "SELEC 1",
          "SELECT 'unended",
          "BEGIN",
          "COMMIT",
          "SET @x = 'y'",
          "SHOW TABLES",
          "CREATE USER digested IDENTIFIED BY 'geheim'",
          "ALTER USER digested IDENTIFIED BY 'geheim2'",
          "SET PASSWORD FOR digested = 'geheim3'",
          "DROP USER digested",
          "SET @x = 4711",
          "SET @'one' = -1",
          "SET @'two' = -2",
          "SAVEPOINT s17",
          "SELECT DATE '2026-11-29'",
          "SELECT DATE '2026-11-30'",
          "SELECT LENGTH('" + "x".repeat(1 << 20) + "')",
          "SELECT LENGTH(\"" + "x".repeat(1000) + "\") /* " + "x".repeat(1000) + " */ + 1",
          "SELECT LENGTH(x'" + "41".repeat(1000) + "'), 0x" + "42".repeat(100),
          "SELECT LENGTH(_latin1'" + "x".repeat(1000) + "'), N'" + "y".repeat(100) + "'",
          "SELECT -" + "1".repeat(65) + ", b'" + "1".repeat(100) + "'",
          "SELECT a FROM `" + LONG_NAME + "` WHERE a IN (" + "7,".repeat(3000) + "8)");

  private static void runAll(int port) throws SQLException {
    Servers.freshSchema(port, "digested");
    try (Connection connection = MiniCluster.connect(port, "digested", "&allowMultiQueries=true")) {
      Servers.run(connection, "TRUNCATE TABLE " + SUMMARY);
      for (String sql : STATEMENTS) {
        try {
          Servers.run(connection, sql);
        } catch (SQLException e) {
          // some are to fail
        }
      }
    }
    try (Connection connection =
            MiniCluster.connect(port, "digested", "&useServerPrepStmts=true&cachePrepStmts=true");
        PreparedStatement prepared =
            connection.prepareStatement("SELECT a + ? FROM `" + LONG_NAME + "` WHERE a = ?")) {
      for (int a = 0; a < 3; a++) {
        prepared.setInt(1, a);
        prepared.setInt(2, a);
        prepared.executeQuery().close();
      }
    }
  }

  private static List<String> columns(int port, String table) throws SQLException {
    try (Connection connection = MiniCluster.connect(port, "", "");
        Statement statement = connection.createStatement();
        ResultSet rows = statement.executeQuery("SELECT * FROM " + table)) {
      ResultSetMetaData told = rows.getMetaData();
      List<String> columns = new ArrayList<>();
      for (int i = 1; i <= told.getColumnCount(); i++) {
        columns.add(told.getColumnName(i) + " " + told.getColumnClassName(i));
      }
      return columns;
    }
  }

  private static List<List<String>> counts(int port) throws SQLException {
    return Servers.cells(
        port,
        "",
        "SELECT DIGEST, DIGEST_TEXT, COUNT_STAR, SUM_ERRORS, SUM_WARNINGS, SUM_ROWS_SENT,"
            + " IF(DIGEST_TEXT LIKE 'CREATE%', 0, SUM_ROWS_AFFECTED) FROM "
            + SUMMARY
            + COUNTED
            + " ORDER BY DIGEST_TEXT, DIGEST");
  }

  @Test
  void digestsAreThoseOfOneServer(Servers servers) throws SQLException {
    runAll(servers.plain().port());
    runAll(servers.cluster().port());
    List<List<String>> plain = counts(servers.plain().port());
    assertTrue(plain.size() > 15, plain::toString);
    assertEquals(
        String.join("\n", plain.stream().map(Object::toString).toList()),
        String.join(
            "\n", counts(servers.cluster().port()).stream().map(Object::toString).toList()));
    assertEquals(
        columns(servers.plain().port(), SUMMARY), columns(servers.cluster().port(), SUMMARY));
    assertEquals(
        columns(servers.plain().port(), HISTOGRAM), columns(servers.cluster().port(), HISTOGRAM));
    for (List<String> row :
        Servers.cells(servers.cluster().port(), "", "SELECT QUERY_SAMPLE_TEXT FROM " + SUMMARY)) {
      assertFalse(row.getFirst().contains("geheim"), row::getFirst);
      assertTrue(row.getFirst().length() <= 1024, row::getFirst);
    }
  }

  @Test
  void latenciesAreInTheBucketsOfMysql(Servers servers) throws SQLException {
    int port = servers.cluster().port();
    runAll(port);
    String bounds =
        "SELECT BUCKET_NUMBER, BUCKET_TIMER_LOW, BUCKET_TIMER_HIGH FROM "
            + HISTOGRAM
            + " WHERE SCHEMA_NAME = 'digested' AND DIGEST_TEXT_OF = 1";
    String one = bounds.replace("DIGEST_TEXT_OF = 1", "DIGEST = STATEMENT_DIGEST('COMMIT')");
    runAll(servers.plain().port());
    assertEquals(
        Servers.cells(servers.plain().port(), "", one + " ORDER BY 1"),
        Servers.cells(port, "", one + " ORDER BY 1"));
    assertEquals(
        "[[1, 1, 1]]",
        Servers.cells(
                port,
                "",
                "SELECT SUM(COUNT_BUCKET), MAX(COUNT_BUCKET_AND_LOWER), MAX(BUCKET_QUANTILE) FROM "
                    + HISTOGRAM
                    + " WHERE SCHEMA_NAME = 'digested' AND DIGEST = STATEMENT_DIGEST('COMMIT')")
            .toString()
            .replace(".0", ""));
    assertEquals(
        "[[1, 1, 1]]",
        Servers.cells(
                port,
                "",
                "SELECT MIN_TIMER_WAIT <= AVG_TIMER_WAIT, AVG_TIMER_WAIT <= MAX_TIMER_WAIT,"
                    + " QUANTILE_95 >= MIN_TIMER_WAIT FROM "
                    + SUMMARY
                    + " WHERE SCHEMA_NAME = 'digested' AND DIGEST = STATEMENT_DIGEST('COMMIT')")
            .toString());
  }

  @Test
  void viewsOfSysAreOverThem(Servers servers) throws SQLException {
    int port = servers.cluster().port();
    try (Connection connection = MiniCluster.connect(port, "", "")) {
      // tests before it may have left no room
      Servers.run(connection, "TRUNCATE TABLE " + SUMMARY);
      Servers.freshSchema(port, "analysed");
      Servers.run(connection, "USE analysed");
      Servers.run(connection, "SELECT * FROM nowhere");
    } catch (SQLException e) {
      assertEquals(1146, e.getErrorCode());
    }
    for (String view :
        List.of(
            "statement_analysis",
            "x$statement_analysis",
            "statements_with_errors_or_warnings",
            "statements_with_full_table_scans",
            "statements_with_runtimes_in_95th_percentile",
            "x$statements_with_runtimes_in_95th_percentile",
            "statements_with_sorting",
            "statements_with_temp_tables")) {
      assertEquals(
          columns(servers.plain().port(), "sys." + view), columns(port, "sys." + view), view);
    }
    assertEquals(
        "1",
        Servers.cells(
                port,
                "sys",
                "SELECT errors FROM statements_with_errors_or_warnings"
                    + " WHERE db = 'analysed' AND query = 'SELECT * FROM `nowhere`'")
            .getFirst()
            .getFirst());
  }

  /** A password of a statement that comes later in the same text is not shown. */
  @Test
  void othersSeeOneStatementOfAText(Servers servers) throws Exception {
    int port = servers.cluster().port();
    String text = "SELECT SLEEP(3); ALTER USER nobody_here IDENTIFIED BY 'geheim'";
    try (Connection connection = MiniCluster.connect(port, "", "&allowMultiQueries=true");
        ExecutorService executor = Executors.newVirtualThreadPerTaskExecutor()) {
      Future<?> sleeper =
          executor.submit(() -> {
            Servers.run(connection, text);
            return null;
          });
      String seen =
          "SELECT info FROM information_schema.processlist WHERE info LIKE 'SELECT SLEEP(3)%'";
      List<List<String>> rows = new ArrayList<>();
      while (rows.isEmpty() && !sleeper.isDone()) {
        rows.addAll(Servers.cells(port, "", seen));
      }
      assertEquals(List.of(List.of("SELECT SLEEP(3)")), rows);
    }
  }

  @Test
  void truncateForgetsThemAndTheSwitchStopsThem(Servers servers) throws SQLException {
    try (Connection connection = MiniCluster.connect(servers.cluster().port(), "", "")) {
      String count =
          "SELECT COUNT(*) FROM " + SUMMARY + " WHERE DIGEST_TEXT LIKE 'SELECT ? AS `truncated`'";
      Servers.run(connection, "SELECT 1 AS truncated");
      assertEquals(List.of("1"), Servers.column(connection, count));
      Servers.run(connection, "TRUNCATE TABLE " + SUMMARY);
      assertEquals(List.of("0"), Servers.column(connection, count));
      Servers.run(connection, "SET GLOBAL alrai_statement_digests = OFF", "SELECT 1 AS truncated");
      assertEquals(List.of("0"), Servers.column(connection, count));
      Servers.run(connection, "SET GLOBAL alrai_statement_digests = ON", "SELECT 1 AS truncated");
      assertEquals(List.of("1"), Servers.column(connection, count));
    }
  }
}
