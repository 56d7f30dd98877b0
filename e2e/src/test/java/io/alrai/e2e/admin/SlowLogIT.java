package io.alrai.e2e.admin;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.alrai.e2e.Servers;
import io.alrai.testing.ClusterProcess;
import io.alrai.testing.MiniCluster;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.ResultSetMetaData;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** The slow log of a cluster beside that of a mysqld. */
@ExtendWith(Servers.Shared.class)
class SlowLogIT {
  private static final String LAST = "SELECT 'the last one'";
  private static final Pattern ENTRY =
      Pattern.compile(
          "# Time: \\d{4}-\\d\\d-\\d\\dT\\d\\d:\\d\\d:\\d\\d\\.\\d{6}Z\n"
              + "# User@Host: (\\w*\\[\\w*\\]) @ (\\S*) \\[(.*)\\]  Id: +(\\d+)\n"
              + "# Query_time: (\\d+\\.\\d{6})  Lock_time: \\d+\\.\\d{6} Rows_sent: (\\d+) "
              + " Rows_examined: \\d+.*\n(?:use (.*);\n)?SET timestamp=\\d+;\n([^#]*(?:#[^ ][^#]*)*);\n");
  private static final List<String> STATEMENTS =
      List.of(
          "SELECT a, b FROM t WHERE a = 1",
          "SELECT a FROM t ORDER BY a LIMIT 7",
          "UPDATE t SET b = b + 1 WHERE a < 3",
          "INSERT INTO t VALUES (1, 1)",
          "SELECT 1; SELECT 2; SELECT 'three'",
          "SELECT 'two\nlines'",
          "SET @x = 4711",
          "BEGIN",
          "COMMIT",
          "SHOW TABLES",
          "CREATE USER slow_one IDENTIFIED BY 'geheim'",
          "DROP USER slow_one",
          "ALTER TABLE t COMMENT 'not without log_slow_admin_statements'",
          "CREATE INDEX not_this ON t (b)",
          "SELECT SLEEP(0.2)");

  private final List<Integer> changed = new ArrayList<>();

  @AfterEach
  void asBefore() throws SQLException {
    for (int port : changed) {
      set(port, "SET GLOBAL slow_query_log = DEFAULT", "SET GLOBAL log_output = DEFAULT");
    }
  }

  private void set(int port, String... statements) throws SQLException {
    try (Connection connection = MiniCluster.connect(port, "", "")) {
      Servers.run(connection, statements);
    }
  }

  private void runAll(int port) throws SQLException {
    changed.add(port);
    Servers.freshRows(port, "slow", 20, 0);
    set(port, "SET GLOBAL log_output = 'TABLE,FILE'", "SET GLOBAL slow_query_log = ON");
    try (Connection connection =
        MiniCluster.connect(
            port, "slow", "&allowMultiQueries=true&useServerPrepStmts=true&cachePrepStmts=true")) {
      Servers.run(connection, "SET long_query_time = 0");
      for (String sql : STATEMENTS) {
        try {
          Servers.run(connection, sql);
        } catch (SQLException e) {
          // some are to fail
        }
      }
      try (PreparedStatement prepared =
          connection.prepareStatement("SELECT b, ? FROM t WHERE a = ?")) {
        for (int a = 1; a < 3; a++) {
          prepared.setString(1, "it's " + a);
          prepared.setInt(2, a);
          prepared.executeQuery().close();
        }
      }
      Servers.run(connection, "SET long_query_time = 100", LAST, "SET long_query_time = 0", LAST);
    }
  }

  private static String file(int port) throws Exception {
    try (Connection connection = MiniCluster.connect(port, "", "");
        Statement statement = connection.createStatement()) {
      return Servers.only(statement, "SELECT @@slow_query_log_file");
    }
  }

  private static String written(int port) throws Exception {
    Path file = Path.of(file(port));
    ClusterProcess.await("the last statement in " + file, 10, () -> read(file).contains(LAST));
    return read(file);
  }

  private static String read(Path file) {
    try {
      return Files.exists(file) ? Files.readString(file, StandardCharsets.UTF_8) : "";
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** User, rows, schema and text of each entry that the driver did not add. */
  private static List<String> entries(String text) {
    List<String> entries = new ArrayList<>();
    Matcher entry = ENTRY.matcher(text);
    while (entry.find()) {
      if (!entry.group(8).contains("@@") && !entry.group(8).startsWith("SET NAMES")) {
        String sql = entry.group(8).replace("\\'", "''").replace("'slow_one'@'%'", "slow_one");
        entries.add(entry.group(1) + " " + entry.group(6) + " " + sql);
      }
    }
    return entries;
  }

  @Test
  void entriesAreThoseOfAMysqld(Servers servers) throws Exception {
    int plain = servers.plain().port();
    int cluster = servers.cluster().port();
    runAll(plain);
    runAll(cluster);
    String text = written(cluster);
    List<String> entries = entries(text);
    assertEquals(String.join("\n", entries(written(plain))), String.join("\n", entries));
    assertTrue(entries.size() > STATEMENTS.size(), text);
    assertFalse(text.contains("geheim"), text);
    sleptFor(text);
    summed(Path.of(file(cluster)));
    assertEquals(columns(plain), columns(cluster));
    counted(cluster);
    table(cluster);
  }

  private static void sleptFor(String text) {
    Matcher entry = ENTRY.matcher(text);
    while (entry.find()) {
      if (entry.group(8).contains("SLEEP")) {
        double seconds = Double.parseDouble(entry.group(5));
        assertTrue(seconds >= 0.2 && seconds < 60, entry.group());
        return;
      }
    }
    throw new AssertionError(text);
  }

  /** MySQL's own tool, where it can run. */
  private static void summed(Path file) throws Exception {
    Path tool = Path.of(System.getProperty("user.home"), ".cache/alrai/mysql-9.7/root/usr/bin");
    Process process;
    try {
      process =
          new ProcessBuilder("perl", tool.resolve("mysqldumpslow").toString(), file.toString())
              .redirectErrorStream(true)
              .start();
    } catch (IOException e) {
      return;
    }
    String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    if (process.waitFor() != 0 || !Files.exists(tool.resolve("mysqldumpslow"))) {
      return;
    }
    assertTrue(output.contains("Count: 2 "), output);
    assertTrue(output.contains("SELECT a, b FROM t WHERE a = N"), output);
    assertTrue(output.contains("root[root]@"), output);
    assertFalse(output.contains("Alrai_path"), output);
  }

  private static List<String> columns(int port) throws SQLException {
    try (Connection connection = MiniCluster.connect(port, "", "");
        Statement statement = connection.createStatement();
        ResultSet rows = statement.executeQuery("SELECT * FROM mysql.slow_log")) {
      ResultSetMetaData told = rows.getMetaData();
      List<String> columns = new ArrayList<>();
      for (int i = 1; i <= told.getColumnCount(); i++) {
        columns.add(told.getColumnName(i) + " " + told.getColumnClassName(i));
      }
      return columns;
    }
  }

  private static void counted(int port) throws SQLException {
    try (Connection connection = MiniCluster.connect(port, "slow", "");
        Statement statement = connection.createStatement()) {
      String all = "SHOW GLOBAL STATUS LIKE 'Slow_queries'";
      String own = "SHOW SESSION STATUS LIKE 'Slow_queries'";
      long before = slow(statement, all);
      assertEquals(0, slow(statement, own));
      Servers.run(
          connection,
          "SET long_query_time = 3",
          "DO SLEEP(3.1)",
          "SET long_query_time = 100.000001",
          "DO 1");
      assertEquals(1, slow(statement, own));
      assertEquals(before + 1, slow(statement, all));
      assertEquals("100.000001", Servers.only(statement, "SELECT @@long_query_time"));
    }
  }

  private static long slow(Statement statement, String show) throws SQLException {
    try (ResultSet rows = statement.executeQuery(show)) {
      rows.next();
      return rows.getLong(2);
    }
  }

  private void table(int port) throws SQLException {
    try (Connection connection = MiniCluster.connect(port, "", "");
        Statement statement = connection.createStatement()) {
      String row =
          Servers.only(
              statement,
              "SELECT CONCAT_WS('|', user_host, query_time >= '00:00:00.2', rows_sent, db,"
                  + " ABS(TIMESTAMPDIFF(SECOND, start_time, NOW())) < 60, thread_id > 0)"
                  + " FROM mysql.slow_log WHERE CONVERT(sql_text USING utf8mb4) ="
                  + " 'SELECT SLEEP(0.2)'");
      assertTrue(row.startsWith("root[root] @ ") && row.endsWith("]|1|1|slow|1|1"), row);
      Servers.run(connection, "FLUSH SLOW LOGS", "TRUNCATE TABLE mysql.slow_log");
      assertEquals("0", Servers.only(statement, "SELECT COUNT(*) FROM mysql.slow_log"));
      assertEquals(
          1231,
          assertThrows(SQLException.class, () -> set(port, "SET GLOBAL log_output = 'SYSLOG'"))
              .getErrorCode());
      Servers.run(connection, "CREATE USER slow_none");
      try (Connection none = MiniCluster.connect(port, "", "", "slow_none")) {
        for (String sql :
            List.of("SELECT * FROM mysql.slow_log", "TRUNCATE TABLE mysql.slow_log")) {
          assertEquals(
              1142, assertThrows(SQLException.class, () -> Servers.run(none, sql)).getErrorCode());
        }
      } finally {
        Servers.run(connection, "DROP USER slow_none");
      }
    }
  }
}
