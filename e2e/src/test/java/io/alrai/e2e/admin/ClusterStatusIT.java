package io.alrai.e2e.admin;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.alrai.cn.variable.KnownStatus;
import io.alrai.cn.variable.StatusList;
import io.alrai.e2e.Servers;
import io.alrai.testing.MiniCluster;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** SHOW STATUS and performance_schema.global_status of a cluster. */
@ExtendWith(Servers.Shared.class)
class ClusterStatusIT {
  private static final List<String> STATEMENTS =
      List.of(
          "CREATE TABLE counted.u (a INT PRIMARY KEY, b INT)",
          "INSERT INTO u VALUES (1, 1), (2, 2), (3, 3)",
          "INSERT INTO u SELECT a + 10, b FROM u",
          "REPLACE INTO u VALUES (1, 5)",
          "SELECT * FROM u WHERE a = 1",
          "SELECT COUNT(*) FROM u",
          "SELECT 1",
          "UPDATE u SET b = 1 WHERE a = 2",
          "UPDATE u SET b = b + 1",
          "DELETE FROM u WHERE a = 3",
          "BEGIN",
          "SAVEPOINT s",
          "ROLLBACK TO SAVEPOINT s",
          "RELEASE SAVEPOINT s",
          "COMMIT",
          "START TRANSACTION",
          "ROLLBACK",
          "SET @x = 1",
          "SET NAMES utf8mb4",
          "USE counted",
          "SHOW TABLES",
          "SHOW FULL COLUMNS FROM u",
          "SHOW INDEX FROM u",
          "SHOW CREATE TABLE u",
          "SHOW DATABASES",
          "SHOW VARIABLES LIKE 'port'",
          "SHOW GLOBAL STATUS LIKE 'uptime'",
          "SHOW WARNINGS",
          "SHOW PROCESSLIST",
          "SHOW GRANTS",
          "EXPLAIN SELECT * FROM u",
          "DESCRIBE u",
          "PREPARE p FROM 'SELECT 1'",
          "EXECUTE p",
          "DEALLOCATE PREPARE p",
          "CREATE VIEW v AS SELECT a FROM u",
          "ALTER TABLE u ADD COLUMN c INT",
          "TRUNCATE TABLE u",
          "ANALYZE TABLE u",
          "CREATE USER counted_user",
          "GRANT SELECT ON counted.* TO counted_user",
          "DROP USER counted_user",
          "SELECT COUNT(*) FROM information_schema.TABLES WHERE TABLE_SCHEMA = 'counted'",
          "DROP VIEW v",
          "DROP TABLE u");

  private static Map<String, String> show(Connection connection, String sql) throws SQLException {
    Map<String, String> rows = new LinkedHashMap<>();
    try (Statement statement = connection.createStatement();
        ResultSet answer = statement.executeQuery(sql)) {
      while (answer.next()) {
        rows.put(answer.getString(1), answer.getString(2));
      }
    }
    return rows;
  }

  private static long number(Connection connection, String name) throws SQLException {
    String like = name.replace("_", "\\_");
    return Long.parseLong(show(connection, "SHOW GLOBAL STATUS LIKE '" + like + "'").get(name));
  }

  @Test
  void everyNameIsInOneOfTheLists(Servers servers) throws SQLException {
    Set<String> shown = new TreeSet<>();
    for (int port : List.of(servers.plain().port(), servers.cluster().port())) {
      try (Connection connection = MiniCluster.connect(port, "", "")) {
        shown.addAll(show(connection, "SHOW GLOBAL STATUS").keySet());
        shown.addAll(show(connection, "SHOW SESSION STATUS").keySet());
      }
    }
    shown.removeIf(name -> name.startsWith("Alrai_"));
    Set<String> unknown = new TreeSet<>(shown);
    unknown.removeAll(KnownStatus.names());
    assertEquals(Set.of(), unknown, "in no list of status.txt");
    Set<String> gone = new TreeSet<>(KnownStatus.names());
    gone.removeAll(shown);
    assertEquals(Set.of(), gone, "in status.txt only");
    assertEquals(StatusList.OWN, KnownStatus.of("Com_select"));
    assertEquals(StatusList.SUM, KnownStatus.of("Innodb_rows_read"));
    assertEquals(StatusList.MAX, KnownStatus.of("Innodb_row_lock_time_max"));
  }

  /** What counted in a session, by name, without what was 0. */
  private static Map<String, Long> counted(int port) throws SQLException {
    Servers.freshSchema(port, "counted");
    try (Connection connection = MiniCluster.connect(port, "counted", "")) {
      Map<String, String> before = show(connection, "SHOW SESSION STATUS");
      for (String sql : STATEMENTS) {
        Servers.run(connection, sql);
      }
      Map<String, Long> grown = new TreeMap<>();
      show(connection, "SHOW SESSION STATUS")
          .forEach((name, value) -> {
            if (name.startsWith("Com_") || name.equals("Questions")) {
              long more = Long.parseLong(value) - Long.parseLong(before.get(name));
              if (more != 0) {
                grown.put(name, more);
              }
            }
          });
      return grown;
    }
  }

  @Test
  void statementsOfASessionCountAsOnOneServer(Servers servers) throws SQLException {
    assertEquals(counted(servers.plain().port()), counted(servers.cluster().port()));
  }

  @Test
  void statementsOfAllSessionsCount(Servers servers) throws SQLException {
    int port = servers.cluster().port();
    Servers.freshRows(port, "counted", 4, 0);
    try (Connection one = MiniCluster.connect(port, "counted", "");
        Connection other = MiniCluster.connect(port, "counted", "&useServerPrepStmts=true")) {
      long selects = number(one, "Com_select");
      long executed = number(one, "Com_stmt_execute");
      long questions = number(one, "Questions");
      String ofSession = show(one, "SHOW STATUS LIKE 'Com\\_select'").get("Com_select");
      Servers.run(other, "SELECT * FROM t", "SELECT * FROM t WHERE a = 1");
      try (PreparedStatement prepared = other.prepareStatement("SELECT b FROM t WHERE a = ?")) {
        prepared.setInt(1, 2);
        prepared.executeQuery().close();
      }
      assertEquals(3, number(one, "Com_select") - selects);
      assertEquals(1, number(one, "Com_stmt_execute") - executed);
      assertTrue(number(one, "Questions") - questions >= 5);
      assertEquals(ofSession, show(one, "SHOW STATUS LIKE 'Com\\_select'").get("Com_select"));
    }
  }

  @Test
  void theDnsAreSummedUp(Servers servers) throws SQLException {
    int port = servers.cluster().port();
    Servers.freshRows(port, "counted", 1, 0);
    try (Connection connection = MiniCluster.connect(port, "counted", "")) {
      long inserted = number(connection, "Innodb_rows_inserted");
      StringBuilder rows = new StringBuilder("INSERT INTO t VALUES (2, 0)");
      for (int a = 3; a <= 100; a++) {
        rows.append(",(").append(a).append(", 0)");
      }
      Servers.run(connection, rows.toString());
      long more = number(connection, "Innodb_rows_inserted") - inserted;
      assertTrue(more >= 99, () -> more + " rows of 99");
      assertEquals(16_384, number(connection, "Innodb_page_size"));
    }
  }

  @Test
  void theClusterIsWhatClientsSee(Servers servers) throws SQLException {
    int port = servers.cluster().port();
    try (Connection one = MiniCluster.connect(port, "", "")) {
      long connected = number(one, "Threads_connected");
      long connections = number(one, "Connections");
      try (Connection other = MiniCluster.connect(port, "", "")) {
        assertEquals(connected + 1, number(one, "Threads_connected"));
        assertEquals(connections + 1, number(other, "Connections"));
        assertTrue(number(one, "Max_used_connections") > connected);
      }
      assertTrue(number(one, "Threads_running") >= 1);
      assertTrue(number(one, "Uptime") >= 1);
    }
  }

  @Test
  void queriesReadTheSame(Servers servers) throws SQLException {
    try (Connection connection = MiniCluster.connect(servers.cluster().port(), "", "");
        Statement statement = connection.createStatement()) {
      assertEquals(
          "16384",
          Servers.only(
              statement,
              "SELECT g.VARIABLE_VALUE FROM performance_schema.global_status g"
                  + " WHERE g.variable_name = 'innodb_page_SIZE'"));
      String questions = "SELECT VARIABLE_VALUE FROM performance_schema.";
      long ofSession =
          Long.parseLong(
              Servers.only(
                  statement, questions + "session_status WHERE VARIABLE_NAME = 'Questions'"));
      long ofAll =
          Long.parseLong(
              Servers.only(
                  statement, questions + "global_status WHERE VARIABLE_NAME = 'Questions'"));
      assertTrue(ofAll > ofSession, ofAll + " " + ofSession);
      assertEquals(
          Set.of("Com_show_status"),
          show(
                  connection,
                  "SHOW GLOBAL STATUS WHERE Variable_name LIKE 'Com\\_show\\_stat%' AND Value > 0")
              .keySet());
      assertEquals(Map.of(), show(connection, "SHOW STATUS LIKE 'nothing'"));
    }
  }
}
