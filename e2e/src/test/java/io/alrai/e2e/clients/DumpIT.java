package io.alrai.e2e.clients;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.alrai.dn.mysqld.InstallProgress;
import io.alrai.dn.mysqld.MysqlInstallations;
import io.alrai.dn.mysqld.MysqlSearch;
import io.alrai.e2e.Servers;
import io.alrai.testing.DnDoors;
import io.alrai.testing.MiniCluster;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;

/** What mysqldump writes of a plain mysqld loads through the endpoint, and the other way round. */
@ExtendWith(Servers.Shared.class)
class DumpIT {
  private static final List<String> SCHEMA =
      List.of(
          "CREATE TABLE author (id INT NOT NULL AUTO_INCREMENT PRIMARY KEY, name VARCHAR(40) NOT"
              + " NULL, born DATE, KEY by_name (name)) COMMENT = 'who wrote'",
          "CREATE TABLE book (id BIGINT UNSIGNED NOT NULL PRIMARY KEY, author INT, title TEXT,"
              + " price DECIMAL(9,2), cover BLOB, tags SET('a','b','c'), facts JSON, place POINT,"
              + " shelf BIT(5), seen TIMESTAMP(3) NULL, cents INT GENERATED ALWAYS AS (price * 100)"
              + " STORED, KEY (author))",
          "CREATE TABLE old (k VARCHAR(10) CHARACTER SET latin1 PRIMARY KEY, v TEXT) CHARSET ="
              + " latin1",
          "CREATE TABLE empty_one (a INT PRIMARY KEY)",
          "CREATE TABLE keyless (a INT, b VARCHAR(10))",
          "CREATE DEFINER = 'root'@'%' VIEW written (who, what) AS SELECT name, title FROM author"
              + " JOIN book ON book.author = author.id WHERE name <> 'it''s \\\\'",
          "CREATE DEFINER = 'root'@'%' VIEW above AS SELECT who, COUNT(*) AS n FROM written GROUP"
              + " BY who",
          "CREATE DEFINER = 'root'@'%' TRIGGER named BEFORE INSERT ON author FOR EACH ROW BEGIN IF"
              + " NEW.born IS NULL THEN SET NEW.born = '1900-01-01'; END IF; END",
          "CREATE DEFINER = 'root'@'%' TRIGGER kept BEFORE UPDATE ON author FOR EACH ROW SET"
              + " NEW.name = IFNULL(NEW.name, OLD.name)",
          "CREATE DEFINER = 'root'@'%' PROCEDURE titled(IN least INT, OUT n INT) COMMENT 'counts'"
              + " BEGIN SET n = (SELECT COUNT(*) FROM book WHERE LENGTH(title) > least); END",
          "CREATE DEFINER = 'root'@'%' FUNCTION shortened(t TEXT, n INT) RETURNS VARCHAR(100)"
              + " CHARSET utf8mb4 DETERMINISTIC COMMENT 'it''s' BEGIN DECLARE r VARCHAR(100); SET"
              + " r = LEFT(t, n); RETURN CONCAT(r, '..;'); END",
          "CREATE DEFINER = 'root'@'%' TRIGGER short BEFORE INSERT ON keyless FOR EACH ROW SET"
              + " NEW.b = LEFT(shortened(NEW.b, 3), 10)",
          "CREATE DEFINER = 'root'@'%' VIEW shorter AS SELECT id, shortened(title, 4) AS s FROM"
              + " book",
          "INSERT INTO author VALUES (1, 'Zoë', '1960-02-29'), (2, 'O''Neil \\\\ \"x\"', NULL),"
              + " (7, '漢字 🙂', '1001-01-01')",
          "INSERT INTO book (id, author, title, price, cover, tags, facts, place, shelf, seen)"
              + " WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 900)"
              + " SELECT i, i % 9, REPEAT(CHAR(97 + i % 26), i % 300), i / 7, UNHEX(SHA2(i, 256)),"
              + " i % 8, JSON_OBJECT('i', i, 'é', NULL), POINT(i, -i), i % 32,"
              + " '2024-03-01 12:00:00.125' + INTERVAL i MINUTE FROM n",
          "INSERT INTO book (id) VALUES (18446744073709551615)",
          "INSERT INTO old VALUES ('ä', 'ÿ'), ('b', '\\n\\t\\0')",
          "INSERT INTO keyless VALUES (1, 'x'), (1, 'x'), (2, NULL)");
  private static final String OTHER_SERVER = "3e11fa47-71ca-11e1-9e33-c80aa9429562";
  private static final List<String> TABLES =
      List.of("author", "book", "old", "empty_one", "keyless", "written", "above", "shorter");

  @TempDir private Path directory;

  @Test
  void aDumpOfAPlainMysqldLoads(Servers servers)
      throws SQLException, IOException, InterruptedException {
    int plain = servers.plain().port();
    int alrai = servers.cluster().port();
    Servers.freshSchema(plain, "dumped");
    Servers.freshSchema(alrai, "dumped");
    try (Connection connection = MiniCluster.connect(plain, "dumped", "")) {
      for (String sql : SCHEMA) {
        run(connection, sql);
      }
    }
    List<String> rows = rows(plain, "dumped");

    Path dump = dump(plain, "from-plain.sql");
    String text = Files.readString(dump, StandardCharsets.ISO_8859_1);
    assertTrue(text.contains("LOCK TABLES `book` WRITE"), "mysqldump no longer locks");
    assertTrue(text.contains("UNLOCK TABLES"));
    load(alrai, dump);
    assertEquals(rows, rows(alrai, "dumped"));
    Files.writeString(dump, withGtids(text), StandardCharsets.ISO_8859_1);
    load(alrai, dump);
    assertEquals(rows, rows(alrai, "dumped"));
    Path socket = servers.cluster().cluster().agents().getFirst().supervisor().socketPath();
    try (DnDoors doors =
        new DnDoors(socket.resolve("../..").normalize(), List.of("dn-1", "dn-2"))) {
      for (String dn : List.of("dn-1", "dn-2")) {
        String executed = doors.query(dn, "SELECT @@gtid_executed").toString();
        assertFalse(executed.contains(OTHER_SERVER), executed);
      }
    }

    Servers.freshSchema(plain, "dumped");
    load(plain, dump(alrai, "from-alrai.sql"));
    assertEquals(rows, rows(plain, "dumped"));
    for (int port : List.of(plain, alrai)) {
      try (Connection connection = MiniCluster.connect(port, "dumped", "");
          Statement statement = connection.createStatement()) {
        // the dump had the trigger before the function that it calls
        statement.execute("INSERT INTO keyless VALUES (9, 'abcdef')");
        assertEquals("abc..;", Servers.only(statement, "SELECT b FROM keyless WHERE a = 9"));
      }
    }
  }

  /** As of a server that has GTIDs. */
  private static String withGtids(String dump) {
    return "SET @MYSQLDUMP_TEMP_LOG_BIN = @@SESSION.SQL_LOG_BIN;\n"
        + "SET @@SESSION.SQL_LOG_BIN= 0;\n"
        + "SET @@GLOBAL.GTID_PURGED=/*!80000 '+'*/ '"
        + OTHER_SERVER
        + ":1-77';\n"
        + dump
        + "SET @@SESSION.SQL_LOG_BIN = @MYSQLDUMP_TEMP_LOG_BIN;\n";
  }

  private Path dump(int port, String name) throws InterruptedException {
    Path file = directory.resolve(name);
    program(
        "mysqldump",
        port,
        Optional.empty(),
        List.of(
            "--set-gtid-purged=OFF",
            "--no-tablespaces",
            "--skip-masking-policies",
            "--routines",
            "--result-file=" + file,
            "dumped"));
    return file;
  }

  private void load(int port, Path dump) throws InterruptedException {
    program("mysql", port, Optional.of(dump), List.of("dumped"));
  }

  private void program(String name, int port, Optional<Path> input, List<String> arguments)
      throws InterruptedException {
    Path binary =
        MysqlInstallations.find(
                MysqlSearch.fromEnvironment(System.getenv()), InstallProgress.silent())
            .mysqld()
            .resolveSibling(name);
    assumeTrue(Files.isExecutable(binary), "there is no " + name + " beside mysqld");
    List<String> command = new ArrayList<>();
    command.addAll(
        List.of(binary.toString(), "--no-defaults", "-h127.0.0.1", "-P" + port, "-uroot"));
    command.addAll(arguments);
    Program.Ending ending = Program.run(directory, Map.of(), input, 120, command);
    assertEquals(0, ending.code(), ending.output());
  }

  /** All rows as text, in an order that both servers can make. */
  private static List<String> rows(int port, String schema) throws SQLException {
    List<String> rows = new ArrayList<>();
    try (Connection connection = MiniCluster.connect(port, schema, "&connectionTimeZone=SERVER");
        Statement statement = connection.createStatement()) {
      try (ResultSet triggers =
          statement.executeQuery(
              "SELECT TRIGGER_NAME, ACTION_STATEMENT, DEFINER FROM information_schema.TRIGGERS"
                  + " WHERE TRIGGER_SCHEMA = '"
                  + schema
                  + "' ORDER BY 1")) {
        while (triggers.next()) {
          rows.add(
              triggers.getString(1) + "|" + triggers.getString(2) + "|" + triggers.getString(3));
        }
      }
      assertEquals(3, rows.size(), rows::toString);
      statement.execute("CALL titled(100, @n)");
      rows.add("titled|" + Servers.only(statement, "SELECT @n"));
      for (String table : TABLES) {
        int first = rows.size();
        try (ResultSet result = statement.executeQuery("SELECT * FROM " + table)) {
          int width = result.getMetaData().getColumnCount();
          while (result.next()) {
            StringBuilder row = new StringBuilder(table);
            for (int column = 1; column <= width; column++) {
              byte[] value = result.getBytes(column);
              row.append('|')
                  .append(value == null ? "NULL" : new String(value, StandardCharsets.ISO_8859_1));
            }
            rows.add(row.toString());
          }
        }
        rows.subList(first, rows.size()).sort(String::compareTo);
      }
    }
    return rows;
  }

  private static void run(Connection connection, String sql) throws SQLException {
    try (Statement statement = connection.createStatement()) {
      statement.execute(sql);
    }
  }
}
