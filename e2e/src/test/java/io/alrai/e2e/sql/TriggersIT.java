package io.alrai.e2e.sql;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.mysql.cj.jdbc.JdbcStatement;
import io.alrai.e2e.Servers;
import io.alrai.testing.MiniCluster;
import java.io.ByteArrayInputStream;
import java.nio.charset.StandardCharsets;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** What the scripts about triggers cannot compare with a plain mysqld. */
@ExtendWith(Servers.Shared.class)
class TriggersIT {
  private static final int NOT_SUPPORTED = 1235;
  private static final String TABLE =
      "CREATE TABLE t (a INT PRIMARY KEY, b INT, c VARCHAR(20)) PARTITION BY KEY(a) PARTITIONS 8";
  private static final String FILLED =
      "CREATE TRIGGER filled BEFORE INSERT ON t FOR EACH ROW SET NEW.c = CONCAT('new ', NEW.b)";
  private static final String CHANGED =
      "CREATE TRIGGER changed BEFORE UPDATE ON t FOR EACH ROW SET NEW.c = CONCAT(OLD.b, '-',"
          + " NEW.b)";

  private static Connection open(Servers servers, String schema) throws SQLException {
    Servers.freshSchema(servers.cluster().port(), schema);
    Connection connection =
        MiniCluster.connect(servers.cluster().port(), schema, "&allowLoadLocalInfile=true");
    run(connection, TABLE, FILLED, CHANGED);
    return connection;
  }

  private static void run(Connection connection, String... statements) throws SQLException {
    try (Statement statement = connection.createStatement()) {
      for (String sql : statements) {
        statement.execute(sql);
      }
    }
  }

  private static int errno(Connection connection, String sql) {
    return assertThrows(SQLException.class, () -> run(connection, sql), sql).getErrorCode();
  }

  private static List<String> rows(Connection connection, String sql) throws SQLException {
    try (Statement statement = connection.createStatement();
        ResultSet result = statement.executeQuery(sql)) {
      List<String> rows = new ArrayList<>();
      while (result.next()) {
        List<String> row = new ArrayList<>();
        for (int i = 1; i <= result.getMetaData().getColumnCount(); i++) {
          row.add(result.getString(i));
        }
        rows.add(String.join(" | ", row));
      }
      return rows;
    }
  }

  @Test
  void loadedRowsAreSeen(Servers servers) throws SQLException {
    try (Connection connection = open(servers, "trigload");
        Statement statement = connection.createStatement()) {
      statement
          .unwrap(JdbcStatement.class)
          .setLocalInfileInputStream(
              new ByteArrayInputStream(
                  "1\t10\n2\t20\n3\t30\n4\t40\n".getBytes(StandardCharsets.UTF_8)));
      statement.execute("LOAD DATA LOCAL INFILE 'x' INTO TABLE t (a, b)");
      assertEquals(
          List.of("1 | 10 | new 10", "2 | 20 | new 20", "3 | 30 | new 30", "4 | 40 | new 40"),
          rows(connection, "SELECT * FROM t ORDER BY a"));
    }
  }

  /** A move would run the triggers of DELETE and INSERT. */
  @Test
  void rowsOfTablesWithTriggersAreNotMoved(Servers servers) throws SQLException {
    try (Connection connection = open(servers, "trigmove")) {
      run(connection, "INSERT INTO t (a, b) VALUES (1, 1), (2, 2)");
      assertEquals(NOT_SUPPORTED, errno(connection, "UPDATE t SET a = a + 100"));
      assertEquals(NOT_SUPPORTED, errno(connection, "UPDATE t SET a = 5 WHERE a = 1"));
      assertEquals(
          List.of("1 | 1 | new 1", "2 | 2 | new 2"),
          rows(connection, "SELECT * FROM t ORDER BY a"));
      run(connection, "DROP TRIGGER filled", "DROP TRIGGER changed", "UPDATE t SET a = a + 100");
      assertEquals(
          List.of("101 | 1 | new 1", "102 | 2 | new 2"),
          rows(connection, "SELECT * FROM t ORDER BY a"));
    }
  }

  @Test
  void strictSnapshotsAndPlacesWithinTransactions(Servers servers) throws SQLException {
    try (Connection connection = open(servers, "trigstrict")) {
      run(
          connection,
          "SET snapshot_isolation_conflicts = ON",
          "BEGIN",
          "INSERT INTO t (a, b) VALUES (1, 1), (2, 2), (3, 3), (4, 4)",
          "UPDATE t SET b = b + 1 WHERE a > 1",
          "UPDATE t SET b = b + 1 ORDER BY a LIMIT 2",
          "REPLACE INTO t (a, b) VALUES (4, 40)",
          "COMMIT");
      assertEquals(
          List.of("1 | 2 | 1-2", "2 | 4 | 3-4", "3 | 4 | 3-4", "4 | 40 | new 40"),
          rows(connection, "SELECT * FROM t ORDER BY a"));
    }
  }

  @Test
  void columnIndexesHaveWhatTheTriggersMade(Servers servers) throws SQLException {
    try (Connection connection = open(servers, "trigcolumns")) {
      run(
          connection,
          "INSERT INTO t (a, b) VALUES (1, 1), (2, 2)",
          "CREATE CLUSTERED COLUMNAR INDEX ci ON t (a)",
          "INSERT INTO t (a, b) VALUES (3, 3), (4, 4)",
          "UPDATE t SET b = 9 WHERE a = 1",
          "SET workload_type = 'AP'");
      assertEquals(
          List.of("1-9 | 1", "new 2 | 1", "new 3 | 1", "new 4 | 1"),
          rows(connection, "SELECT c, COUNT(*) FROM t GROUP BY c ORDER BY c"));
      for (String partition : rows(connection, "CHECK COLUMNAR INDEX ci ON t")) {
        assertTrue(partition.endsWith(" | 0 | 0 | 0 | "), partition);
      }
    }
  }

  private static Connection single(Servers servers, String schema) throws SQLException {
    Servers.freshSchema(servers.cluster().port(), schema);
    Connection connection =
        MiniCluster.connect(
            servers.cluster().port(), schema, "&allowLoadLocalInfile=true&allowMultiQueries=true");
    run(
        connection,
        "ALTER DATABASE DEFAULT PARTITIONS 1",
        "CREATE TABLE t (id INT AUTO_INCREMENT PRIMARY KEY, b INT)",
        // before there is the table, as a dump has it
        "CREATE TRIGGER g AFTER INSERT ON t FOR EACH ROW INSERT INTO "
            + schema
            + ".audit (tid, b) VALUES (NEW.id, NEW.b)");
    assertEquals(1146, errno(connection, "INSERT INTO t (b) VALUES (1)"));
    run(
        connection,
        "CREATE TABLE audit (id INT AUTO_INCREMENT PRIMARY KEY, tid INT, b INT)",
        "CREATE TABLE counters (k INT PRIMARY KEY, n INT)",
        "INSERT INTO counters VALUES (1, 0)");
    return connection;
  }

  /** Rows come to both tables in every way that Alrai has. */
  @Test
  void idsOfTablesThatTriggersFill(Servers servers) throws SQLException {
    try (Connection connection = single(servers, "trigids");
        Statement statement = connection.createStatement()) {
      statement
          .unwrap(JdbcStatement.class)
          .setLocalInfileInputStream(
              new ByteArrayInputStream("10\n20\n".getBytes(StandardCharsets.UTF_8)));
      statement.execute("LOAD DATA LOCAL INFILE 'x' INTO TABLE t (b)");
      statement
          .unwrap(JdbcStatement.class)
          .setLocalInfileInputStream(
              new ByteArrayInputStream("30\n40\n".getBytes(StandardCharsets.UTF_8)));
      statement.execute("LOAD DATA LOCAL INFILE 'x' INTO TABLE audit (b)");
      run(
          connection,
          "CREATE TABLE source (b INT) PARTITION BY KEY(b) PARTITIONS 4",
          "INSERT INTO source VALUES (50), (60)",
          "INSERT INTO t (b) SELECT b FROM source ORDER BY b",
          "INSERT INTO audit (b) SELECT b FROM source ORDER BY b",
          "INSERT INTO audit (b) SELECT b FROM counters, (SELECT 70 AS b) x");
      assertEquals(
          List.of("70"), rows(connection, "SELECT b FROM audit WHERE id = LAST_INSERT_ID()"));
      try (PreparedStatement prepared =
          connection.prepareStatement(
              "INSERT INTO audit (b) VALUES (?)", Statement.RETURN_GENERATED_KEYS)) {
        prepared.setInt(1, 80);
        prepared.executeUpdate();
        try (ResultSet keys = prepared.getGeneratedKeys()) {
          keys.next();
          assertEquals(
              List.of("80"), rows(connection, "SELECT b FROM audit WHERE id = " + keys.getInt(1)));
        }
      }
      assertEquals(
          List.of(
              "10 | 2",
              "20 | 3",
              "30 | null",
              "40 | null",
              // a mysqld reserves ids for more lines than there are
              "50 | 5",
              "50 | null",
              "60 | 6",
              "60 | null",
              "70 | null",
              "80 | null"),
          rows(connection, "SELECT b, tid FROM audit ORDER BY b, tid IS NULL"));
      assertEquals(List.of("10"), rows(connection, "SELECT COUNT(DISTINCT id) FROM audit"));
    }
  }

  /** A table that is made anew elsewhere is not touched. */
  @Test
  void tablesThatAreElsewhere(Servers servers) throws SQLException {
    try (Connection connection = single(servers, "trigelse")) {
      run(
          connection,
          "DROP TABLE audit",
          "CREATE TABLE audit (id INT AUTO_INCREMENT PRIMARY KEY, tid INT, b INT) PARTITION BY"
              + " KEY(id) PARTITIONS 4");
      assertEquals(NOT_SUPPORTED, errno(connection, "INSERT INTO t (b) VALUES (1)"));
      run(
          connection,
          "RENAME TABLE audit TO other",
          "CREATE TABLE below (id INT AUTO_INCREMENT PRIMARY KEY, tid INT, b INT)",
          "CREATE VIEW audit AS SELECT * FROM below");
      assertEquals(NOT_SUPPORTED, errno(connection, "INSERT INTO t (b) VALUES (1)"));
      run(
          connection,
          "DROP VIEW audit",
          "RENAME TABLE below TO audit",
          "INSERT INTO t (b) VALUES (5)");
      assertEquals(List.of("5"), rows(connection, "SELECT b FROM audit"));
      assertEquals(List.of("1"), rows(connection, "SELECT COUNT(*) FROM t"));
    }
  }

  @Test
  void strictSnapshotsRefuseWhatTriggersChange(Servers servers) throws SQLException {
    try (Connection connection = single(servers, "trighidden")) {
      String[] begin = {"SET snapshot_isolation_conflicts = ON", "BEGIN", "SELECT * FROM counters"};
      run(connection, begin);
      run(connection, "INSERT INTO t (b) VALUES (1)", "COMMIT");
      run(
          connection,
          "CREATE TRIGGER h AFTER INSERT ON audit FOR EACH ROW UPDATE counters SET n = n + 1");
      run(connection, begin);
      assertEquals(NOT_SUPPORTED, errno(connection, "INSERT INTO t (b) VALUES (1)"));
      assertEquals(NOT_SUPPORTED, errno(connection, "INSERT INTO t (b) SELECT n FROM counters"));
      assertEquals(NOT_SUPPORTED, errno(connection, "INSERT INTO audit (b) VALUES (1)"));
      run(connection, "UPDATE counters SET n = n + 10", "COMMIT");
      run(connection, "INSERT INTO t (b) VALUES (2)");
      assertEquals(List.of("11"), rows(connection, "SELECT n FROM counters"));
    }
  }

  /** The column index over the written table is fed by the log. */
  @Test
  void columnIndexesOfTablesThatTriggersFill(Servers servers) throws SQLException {
    try (Connection connection = single(servers, "trigfed")) {
      run(
          connection,
          "CREATE CLUSTERED COLUMNAR INDEX ci ON audit (id)",
          "INSERT INTO t (b) VALUES (1), (2), (2)",
          "SET workload_type = 'AP'");
      assertEquals(
          List.of("1 | 1", "2 | 2"),
          rows(connection, "SELECT b, COUNT(*) FROM audit GROUP BY b ORDER BY b"));
    }
  }

  @Test
  void whatShowTells(Servers servers) throws SQLException {
    try (Connection connection = open(servers, "trigshow")) {
      run(
          connection,
          "create definer = current_user trigger `odd name` after delete on trigshow.t for each row"
              + " do 1");
      String shown = rows(connection, "SHOW CREATE TRIGGER `odd name`").getFirst();
      assertTrue(shown.startsWith("odd name | "), shown);
      assertTrue(
          shown.contains(
              " | CREATE DEFINER=`root`@`%` TRIGGER `odd name` AFTER DELETE ON `t` FOR EACH ROW do"
                  + " 1 | utf8mb4 | "),
          shown);
      List<String> all = rows(connection, "SHOW TRIGGERS");
      assertEquals(3, all.size(), all::toString);
      assertTrue(
          all.getFirst().startsWith("filled | INSERT | t | SET NEW.c = CONCAT('new ', NEW.b)"),
          all::toString);
      assertEquals(1, rows(connection, "SHOW TRIGGERS WHERE `Trigger` = 'changed'").size());
      assertEquals(0, rows(connection, "SHOW TRIGGERS LIKE 'nope'").size());
      assertEquals(1360, errno(connection, "SHOW CREATE TRIGGER nope"));
      run(
          connection,
          "CREATE USER trig_gone",
          "CREATE DEFINER = trig_gone TRIGGER gone AFTER INSERT ON t FOR EACH ROW DO 1",
          "GRANT TRIGGER ON trigshow.t TO trig_gone",
          "INSERT INTO t (a) VALUES (1)",
          "DROP USER trig_gone");
      assertEquals(1449, errno(connection, "INSERT INTO t (a) VALUES (2)"));
    }
  }

  /** The mysqlds' connections take several statements in one text. */
  @Test
  void nothingRunsBehindABody(Servers servers) throws SQLException {
    Servers.freshSchema(servers.cluster().port(), "trigsmuggle");
    try (Connection connection =
        MiniCluster.connect(servers.cluster().port(), "trigsmuggle", "&allowMultiQueries=true")) {
      run(connection, TABLE);
      for (String body :
          List.of(
              "SET NEW.b = 1; DROP TABLE t",
              "BEGIN SET NEW.b = IF(1, 2, 3); END; DROP TABLE t; END IF",
              "BEGIN END; DROP TABLE t")) {
        String sql = "CREATE TRIGGER g BEFORE INSERT ON t FOR EACH ROW " + body;
        assertEquals(1064, errno(connection, sql), sql);
      }
      run(connection, "SET sql_mode = 'NO_BACKSLASH_ESCAPES'");
      assertEquals(
          1064,
          errno(
              connection,
              "CREATE TRIGGER g BEFORE INSERT ON t FOR EACH ROW SET NEW.c = '\\'; DROP TABLE t;"
                  + " -- '"));
      run(
          connection,
          "CREATE TRIGGER g BEFORE INSERT ON t FOR EACH ROW SET NEW.c = CONCAT('\\', CURRENT_USER)",
          "SET sql_mode = DEFAULT",
          "INSERT INTO t (a) VALUES (1)");
      assertEquals(List.of("\\root@%"), rows(connection, "SELECT c FROM t WHERE b IS NULL"));
    }
  }
}
