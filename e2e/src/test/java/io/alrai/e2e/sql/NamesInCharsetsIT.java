package io.alrai.e2e.sql;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.alrai.e2e.Servers;
import io.alrai.optimizer.api.text.Identifier;
import io.alrai.testing.MiniCluster;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * A session whose character set lacks letters of its database's name, and of columns that it does
 * not name: what it says is in its own character set, what Alrai adds to it cannot be.
 */
@ExtendWith(Servers.Shared.class)
@Timeout(300)
class NamesInCharsetsIT {
  private static final String DATABASE = "größe東京";

  private static final List<String> TABLES =
      List.of(
          "CREATE TABLE t (a INT PRIMARY KEY, b INT, `größe東京` VARCHAR(20))"
              + " PARTITION BY KEY(a) PARTITIONS 4",
          "CREATE TABLE u (a INT PRIMARY KEY, b INT, c VARCHAR(20) DEFAULT 'x')"
              + " PARTITION BY KEY(a) PARTITIONS 3",
          "CREATE TABLE s (a INT PRIMARY KEY, b INT, `größe東京` VARCHAR(20))",
          "CREATE VIEW v AS SELECT a, b, `größe東京` AS c FROM t",
          "CREATE FUNCTION f(n INT) RETURNS INT DETERMINISTIC RETURN n + 1",
          "CREATE PROCEDURE p() SELECT COUNT(*) FROM t JOIN u ON t.b = u.b",
          "CREATE TRIGGER g BEFORE INSERT ON u FOR EACH ROW SET NEW.c = CONCAT(NEW.c, 'y')",
          "INSERT INTO t VALUES (1, 10, 'é'), (2, 20, '東'), (3, 30, 'c'), (4, 40, 'd')",
          "INSERT INTO s SELECT * FROM t",
          "INSERT INTO u (a, b) VALUES (1, 10), (2, 10), (3, 30), (4, 50)",
          "SET @`東京` = 5");

  /** Answered as by a plain mysqld. */
  private static final List<String> SAME =
      List.of(
          "SELECT a, b FROM t WHERE a = 1",
          "SELECT a, b FROM t ORDER BY a",
          "SELECT * FROM t WHERE a = 1",
          "SELECT * FROM t ORDER BY a",
          "SELECT * FROM t ORDER BY b DESC LIMIT 2",
          "SELECT t.a, u.a FROM t JOIN u ON t.b = u.b ORDER BY 1, 2",
          "SELECT t.a, u.a FROM t LEFT JOIN u ON t.b = u.b AND u.c <> 'e' ORDER BY 1, 2",
          "SELECT t.a, (SELECT MAX(b) FROM u WHERE u.b <= t.b) FROM t ORDER BY t.a",
          "SELECT t.a, x.b FROM t, (SELECT b, COUNT(*) n FROM u GROUP BY b) x WHERE x.b = t.b"
              + " ORDER BY t.a",
          "CALL p()",
          "SELECT DATABASE() IS NULL, @`a` IS NULL",
          "SELECT COUNT(*) FROM t WHERE DATABASE() LIKE 'gr%'",
          "SHOW TABLES LIKE 't'",
          "SHOW COLUMNS FROM u",
          "SHOW VARIABLES LIKE 'auto_increment_increment'",
          "DESCRIBE u",
          "SELECT table_name FROM information_schema.tables WHERE table_schema = DATABASE()"
              + " ORDER BY 1",
          "INSERT INTO u (a, b) SELECT a + 10, b FROM t",
          "INSERT INTO u SELECT t.a + 20, t.b, 'e' FROM t JOIN u ON t.b = u.b AND u.a < 10"
              + " GROUP BY t.a, t.b",
          "REPLACE INTO t SELECT * FROM t",
          "UPDATE t JOIN u ON t.b = u.b SET t.b = t.b + 100 WHERE u.a = 3",
          "UPDATE u SET b = (SELECT MAX(b) FROM t) WHERE a = 4",
          "DELETE u FROM u JOIN t ON t.b = u.b WHERE t.a = 2",
          "DELETE FROM t ORDER BY b LIMIT 1",
          "SELECT * FROM s ORDER BY a",
          "SELECT s.a FROM s JOIN t ON s.b = t.b ORDER BY 1",
          "CREATE TEMPORARY TABLE tt (a INT PRIMARY KEY, b INT)",
          "SELECT * FROM tt",
          "SHOW CREATE TABLE tt",
          "DROP TEMPORARY TABLE tt",
          "CREATE TABLE w AS SELECT a, b FROM t",
          "ALTER TABLE w ADD COLUMN c INT, ADD KEY (b)",
          "CREATE INDEX i ON w (c)",
          "ALTER TABLE t ADD COLUMN d INT",
          "SELECT * FROM t ORDER BY a",
          "RENAME TABLE w TO x",
          "TRUNCATE TABLE x",
          "LOCK TABLES x WRITE, t READ",
          "INSERT INTO x VALUES (1, 2, 3)",
          "SELECT a, b FROM t ORDER BY a",
          "UNLOCK TABLES",
          "CREATE PROCEDURE q() BEGIN DECLARE n INT; SELECT COUNT(*) INTO n FROM u; SELECT n; END",
          "CALL q()",
          "CREATE FUNCTION h() RETURNS INT READS SQL DATA RETURN (SELECT COUNT(*) FROM u)",
          "SELECT h()",
          "ALTER DATABASE COLLATE utf8mb4_bin",
          "PREPARE ps FROM 'SELECT t.a FROM t JOIN u ON t.b = u.b WHERE t.a > ? ORDER BY 1'",
          "SET @zero = 0",
          "EXECUTE ps USING @zero",
          "DROP TABLE x");

  /** Answered in Alrai's own way, or with times. */
  private static final List<String> DONE =
      List.of(
          "SHOW INDEX FROM u",
          "SHOW CREATE TABLE t",
          "SHOW CREATE VIEW v",
          "SHOW CREATE PROCEDURE p",
          "SHOW CREATE FUNCTION f",
          "SHOW TRIGGERS LIKE 'u'",
          "SHOW TABLE STATUS",
          "CHECK TABLE u",
          "ANALYZE TABLE u",
          "OPTIMIZE TABLE u",
          "CHECKSUM TABLE u",
          "EXPLAIN SELECT t.a FROM t JOIN u ON t.b = u.b");

  /** Statements that need names in a text with the client's literals: refused, with the reason. */
  private static final List<String> REFUSED =
      List.of(
          "SELECT * FROM v ORDER BY a",
          "SELECT * FROM t JOIN u ON t.b = u.b",
          "UPDATE s SET a = a + 1000");

  private static void make(int port) throws SQLException {
    try (Connection connection = MiniCluster.connect(port, "", "")) {
      String database = Identifier.quote(DATABASE);
      Servers.run(
          connection,
          "DROP DATABASE IF EXISTS " + database,
          "CREATE DATABASE " + database,
          "USE " + database);
      Servers.run(connection, TABLES.toArray(String[]::new));
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"latin1", "gbk", "sjis", "ascii", "greek", "binary", "utf8mb3"})
  void whatIsNotNamedIsFound(String charset, Servers servers) throws SQLException {
    make(servers.plain().port());
    make(servers.cluster().port());
    List<String> differences = new ArrayList<>();
    try (ComparedSessions sessions = ComparedSessions.open(servers, "", "", differences)) {
      String use = "USE " + Identifier.quote(DATABASE);
      Servers.run(sessions.plain(), use, "SET @`東京` = 5", "SET NAMES " + charset);
      Servers.run(sessions.alrai(), use, "SET @`東京` = 5", "SET NAMES " + charset);
      SAME.forEach(sql -> sessions.sameRows(new RandomSelects.Select(sql, false)));
      for (String sql : DONE) {
        Servers.column(sessions.alrai(), sql);
      }
      if (!charset.startsWith("utf8")) {
        for (String sql : REFUSED) {
          SQLException refused =
              assertThrows(SQLException.class, () -> Servers.run(sessions.alrai(), sql), sql);
          assertEquals(3854, refused.getErrorCode(), sql + ": " + refused.getMessage());
        }
      }
      Servers.run(sessions.plain(), "SET NAMES utf8mb4");
      Servers.run(sessions.alrai(), "SET NAMES utf8mb4");
      sessions.same("SELECT @`東京`");
      sessions.same("SELECT * FROM s ORDER BY a");
    }
    assertEquals(List.of(), differences);
  }

  /** A mysqld compares them so, whatever the session's character set is. */
  @ParameterizedTest
  @ValueSource(strings = {"utf8mb4", "latin1", "gbk", "ascii"})
  void savepointsAreOneWithAccentsAndCases(String charset, Servers servers) throws SQLException {
    freshRows(servers, "savepointnames");
    sameRows(
        servers,
        "savepointnames",
        "SET NAMES " + charset,
        "BEGIN",
        "INSERT INTO t VALUES (2, 2)",
        "SAVEPOINT a",
        "INSERT INTO t VALUES (3, 3)",
        "SAVEPOINT `á`",
        "INSERT INTO t VALUES (4, 4)",
        "ROLLBACK TO A",
        "SELECT * FROM t ORDER BY a",
        "SAVEPOINT `straße`",
        "INSERT INTO t VALUES (5, 5)",
        "SAVEPOINT `я`",
        "INSERT INTO t VALUES (6, 6)",
        "ROLLBACK TO `STRASSE`",
        "ROLLBACK TO `straSe`",
        "SELECT * FROM t ORDER BY a",
        "RELEASE SAVEPOINT strase",
        "RELEASE SAVEPOINT a",
        "ROLLBACK");
  }

  /**
   * A view waits for what was committed before it: for a set of GTIDs, in a session's connection.
   */
  @Test
  void readsUnderUcs2SeeWhatWasCommitted(Servers servers) throws SQLException {
    int port = servers.cluster().port();
    Servers.freshRows(port, "ucs2reads", 1, 1);
    for (int i = 1; i <= 60; i++) {
      try (Connection connection = MiniCluster.connect(port, "ucs2reads", "")) {
        int a = 3 * i;
        Servers.run(
            connection,
            "INSERT INTO t VALUES (" + a + ", 1), (" + (a + 1) + ", 2), (" + (a + 2) + ", 3)",
            "SET character_set_connection = ucs2");
        assertEquals(
            List.of(String.valueOf(a + 1)),
            Servers.column(connection, "SELECT COUNT(*) FROM t"),
            "turn " + i);
      }
    }
  }

  /** What Alrai puts into texts as strings: names of tables, of databases and accounts. */
  @ParameterizedTest
  @ValueSource(
      strings = {
        "sql_mode = ''",
        "sql_mode = 'NO_BACKSLASH_ESCAPES'",
        "sql_mode = 'ANSI_QUOTES'",
        "character_set_connection = ucs2",
        "NAMES gbk",
        "NAMES sjis"
      })
  void namesAsStringsReadTheSame(String setting, Servers servers) throws SQLException {
    String database = Identifier.quote("q\\'\"x");
    String table = Identifier.quote("t\\'\"");
    sameRows(
        servers,
        "",
        "DROP DATABASE IF EXISTS " + database,
        "CREATE DATABASE " + database,
        "USE " + database,
        "CREATE TABLE " + table + " (a INT PRIMARY KEY, b ENUM('x\\\\', 'y'), KEY (b))",
        "INSERT INTO " + table + " VALUES (1, 1), (2, 2), (3, 1)",
        "SET " + setting,
        "SELECT DATABASE() = SCHEMA(), HEX(DATABASE()), COUNT(*) FROM " + table,
        "SELECT USER() = SESSION_USER(), VERSION() = @@version",
        "HANDLER " + table + " OPEN",
        "HANDLER " + table + " READ b FIRST",
        "HANDLER " + table + " READ b NEXT LIMIT 3",
        "HANDLER " + table + " CLOSE",
        "UPDATE " + table + " SET a = a + 10",
        "SELECT a, b FROM " + table + " ORDER BY a",
        "SHOW TABLES",
        "SHOW COLUMNS FROM " + table,
        "CREATE TABLE c LIKE " + table,
        "ALTER TABLE c ADD COLUMN n INT",
        "RENAME TABLE c TO " + Identifier.quote("d\\'"),
        "SELECT HEX(table_name) FROM information_schema.tables"
            + " WHERE table_schema = DATABASE() ORDER BY table_name",
        "ALTER DATABASE COLLATE utf8mb4_bin",
        "DROP DATABASE " + database);
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "NO_BACKSLASH_ESCAPES", "ANSI_QUOTES", "NO_BACKSLASH_ESCAPES,ANSI"})
  void patternsReadAsTheSessionReadsThem(String mode, Servers servers) throws SQLException {
    freshRows(servers, "patterns");
    sameRows(
        servers,
        "patterns",
        "SET sql_mode = '" + mode + "'",
        "SHOW VARIABLES LIKE 'a''b'",
        "SHOW VARIABLES LIKE 'a\\_x'",
        "SHOW VARIABLES LIKE 'a''b\\'",
        "SHOW VARIABLES LIKE '\\'",
        "SHOW VARIABLES LIKE 'wait\\_time''out'",
        "SHOW STATUS LIKE 'a''b\\'",
        "SHOW VARIABLES WHERE Variable_name = 'a\\' OR Value = 'b'",
        "SHOW TABLES LIKE 't''\\'",
        "SHOW VARIABLES LIKE 'autocommit'");
  }

  private static void freshRows(Servers servers, String schema) throws SQLException {
    Servers.freshRows(servers.plain().port(), schema, 1, 1);
    Servers.freshRows(servers.cluster().port(), schema, 1, 1);
  }

  /** Statements of one session on each server: their rows and errors are the same. */
  private static void sameRows(Servers servers, String schema, String... statements)
      throws SQLException {
    List<String> differences = new ArrayList<>();
    try (ComparedSessions sessions = ComparedSessions.open(servers, schema, "", differences)) {
      for (String sql : statements) {
        sessions.sameRows(new RandomSelects.Select(sql, false));
      }
    }
    assertEquals(List.of(), differences);
  }
}
