package io.alrai.e2e.load;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.junit.jupiter.api.Assertions.assertEquals;

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

/** What LOAD DATA LOCAL makes of a file: rows, warnings and counts are those of a plain mysqld. */
@ExtendWith(Servers.Shared.class)
class LoadDataIT {
  private static final String SCHEMA = "loaded";
  private static final String NUMBERS =
      "CREATE TABLE t (a INT PRIMARY KEY, b INT NOT NULL DEFAULT 5, c VARCHAR(9) DEFAULT 'x')";
  private static final String WORDS =
      "CREATE TABLE t (a VARCHAR(9) PRIMARY KEY, b VARCHAR(20), c VARCHAR(20), d VARCHAR(20))";

  /** What is looked at in the connection of a load. */
  private interface Look {
    List<String> at(Connection connection, Statement statement) throws SQLException;
  }

  /** A load, what is looked at after it where it was done, and in any case. */
  private static List<String> after(
      int port, List<String> before, byte[] file, String load, Look done, Look always)
      throws SQLException {
    Servers.freshSchema(port, SCHEMA);
    List<String> seen = new ArrayList<>();
    try (Connection connection = MiniCluster.connect(port, SCHEMA, "&allowLoadLocalInfile=true");
        Statement statement = connection.createStatement()) {
      for (String sql : before) {
        statement.execute(sql);
      }
      statement
          .unwrap(JdbcStatement.class)
          .setLocalInfileInputStream(new ByteArrayInputStream(file));
      try {
        seen.add("rows: " + statement.executeUpdate(load));
        seen.addAll(done.at(connection, statement));
      } catch (SQLException e) {
        // which of several wrong rows is reported first is a matter of time
        seen.add("error " + e.getErrorCode());
      }
      statement.unwrap(JdbcStatement.class).setLocalInfileInputStream(null);
      seen.addAll(always.at(connection, statement));
    }
    return seen;
  }

  /** Counts that the next statement sees. */
  private static List<String> counts(int port, List<String> before, byte[] file, String load)
      throws SQLException {
    return after(
        port,
        before,
        file,
        load,
        (connection, statement) -> rows(statement, "SELECT ROW_COUNT()"),
        (connection, statement) -> rows(statement, "SELECT @@warning_count"));
  }

  private static List<String> lastInserted(int port, List<String> before, String file, String load)
      throws SQLException {
    return after(
        port,
        before,
        file.getBytes(StandardCharsets.UTF_8),
        load,
        (connection, statement) -> rows(statement, "SELECT LAST_INSERT_ID()"),
        (connection, statement) -> rows(statement, "SELECT * FROM t ORDER BY 1"));
  }

  private static List<String> rows(Statement statement, String sql) throws SQLException {
    List<String> rows = new ArrayList<>();
    try (ResultSet result = statement.executeQuery(sql)) {
      while (result.next()) {
        List<String> row = new ArrayList<>();
        for (int i = 1; i <= result.getMetaData().getColumnCount(); i++) {
          row.add(result.getString(i));
        }
        rows.add(String.join(" | ", row));
      }
    }
    return rows;
  }

  private static List<String> loaded(int port, List<String> before, byte[] file, String load)
      throws SQLException {
    return after(
        port,
        before,
        file,
        load,
        (connection, statement) -> warnings(statement),
        (connection, statement) -> {
          List<String> there = rows(statement, "SELECT * FROM t ORDER BY 1, 2");
          there.addAll(found(connection, rows(statement, "SELECT a FROM t ORDER BY 1 LIMIT 9")));
          return there;
        });
  }

  /** A duplicate's names no row: its place among those of other partitions is not known. */
  private static List<String> warnings(Statement statement) throws SQLException {
    List<String> all = rows(statement, "SHOW WARNINGS");
    List<String> ordered = new ArrayList<>(all.stream().filter(w -> w.contains("1062")).toList());
    ordered.sort(null);
    all.stream().filter(w -> !w.contains("1062")).forEach(ordered::add);
    return ordered;
  }

  /** Rows are where they are looked for. */
  private static List<String> found(Connection connection, List<String> keys) throws SQLException {
    List<String> found = new ArrayList<>();
    String sql = "SELECT COUNT(*) FROM t WHERE a = ?";
    try (PreparedStatement read = connection.prepareStatement(sql)) {
      for (String key : keys) {
        read.setString(1, key);
        try (ResultSet result = read.executeQuery()) {
          result.next();
          found.add(key + ": " + result.getInt(1));
        } catch (SQLException e) {
          found.add(key + ": error " + e.getErrorCode());
        }
      }
    }
    return found;
  }

  private static void same(Servers servers, List<String> before, String file, String load)
      throws SQLException {
    same(servers, before, file.getBytes(StandardCharsets.UTF_8), load);
  }

  private static void same(Servers servers, List<String> before, byte[] file, String load)
      throws SQLException {
    int plain = servers.plain().port();
    int cluster = servers.cluster().port();
    assertEquals(loaded(plain, before, file, load), loaded(cluster, before, file, load), load);
    assertEquals(counts(plain, before, file, load), counts(cluster, before, file, load), load);
  }

  private static String load(String rest) {
    return "LOAD DATA LOCAL INFILE 'x' " + rest;
  }

  @Test
  void linesThatAreTooShortTooLongOrWrong(Servers servers) throws SQLException {
    String file = "1\n2\t\\N\n3\tx\ty\tz\tw\n\n5\t7\tlong enough to be cut\n6\t\n7\t8\tend";
    same(servers, List.of(NUMBERS), file, load("INTO TABLE t"));
    same(servers, List.of(NUMBERS), file, load("INTO TABLE t (a, c)"));
    same(servers, List.of(NUMBERS), file, load("INTO TABLE t (@x, a, b)"));
    same(servers, List.of(NUMBERS), file, load("INTO TABLE t IGNORE 2 LINES"));
    same(servers, List.of(NUMBERS), file, load("REPLACE INTO TABLE t"));
    same(servers, List.of(NUMBERS), "", load("INTO TABLE t"));
    same(servers, List.of(NUMBERS), "x\t1\ty\n", load("REPLACE INTO TABLE t"));
    same(servers, List.of(NUMBERS, "SET sql_mode = ''"), file, load("REPLACE INTO TABLE t"));
    same(servers, List.of(NUMBERS, "SET max_error_count = 3"), file, load("INTO TABLE t"));
  }

  @Test
  void rowsThatAreThere(Servers servers) throws SQLException {
    String there = "INSERT INTO t VALUES (1, 10, 'a'), (2, 20, 'b'), (30, 30, 'c')";
    String file = "1\t11\tn\n3\t31\tn\n2\t21\tn\n3\t32\tm\n4\t41\tn\n";
    for (String how : List.of("", "IGNORE ", "REPLACE ")) {
      same(servers, List.of(NUMBERS, there), file, load(how + "INTO TABLE t"));
    }
  }

  @Test
  void quotesEscapesAndMarks(Servers servers) throws SQLException {
    String quoted =
        "\"1\",\"a\"\"b\",NULL,\"NULL\"\n2,\\N,\"\\N\",\\\"x\n3,\"two\nlines\",\"a\"b\",c\\\nd\n"
            + "4,\"x\",\"y\",\"z\",\"more\nof it\n5,a\\0b,a\\tb,\\Z\n6,,\"\",\"un";
    String by = "FIELDS TERMINATED BY ',' ENCLOSED BY '\"'";
    same(servers, List.of(WORDS), quoted, load("INTO TABLE t " + by));
    same(servers, List.of(WORDS), quoted, load("INTO TABLE t " + by + " ESCAPED BY ''"));
    same(servers, List.of(WORDS), quoted, load("INTO TABLE t " + by + " ESCAPED BY '\"'"));
    same(servers, List.of(WORDS), quoted, load("INTO TABLE t FIELDS TERMINATED BY ',\"'"));
    String marked = "junk>>1||a||b<>no>>2||c\\||d||e||f<>>>3||g<>3||h<>>>4||";
    String marks = " FIELDS TERMINATED BY '||' LINES STARTING BY '>>' TERMINATED BY '<>'";
    same(servers, List.of(WORDS), marked, load("INTO TABLE t" + marks));
    same(
        servers,
        List.of(WORDS),
        "1,a,b,c,2,d,e,f,3,g",
        load("INTO TABLE t FIELDS TERMINATED BY ',' LINES TERMINATED BY ','"));
  }

  @Test
  void charactersOfAllKinds(Servers servers) throws SQLException {
    String file = "ä\t😀\t日本\t'; DROP TABLE t; --\nÄ\tx\ty\tz\n\0\ta\0b\t`\t\"\n";
    same(servers, List.of(WORDS), file, load("INTO TABLE t"));
    same(servers, List.of(WORDS), file, load("INTO TABLE t CHARACTER SET utf8mb4"));
    same(servers, List.of(WORDS), file, load("INTO TABLE t CHARACTER SET latin1"));
    same(servers, List.of(WORDS), file, load("INTO TABLE t CHARACTER SET nonsense"));
    byte[] latin = "ä\tö\tü\tß\n".getBytes(StandardCharsets.ISO_8859_1);
    same(servers, List.of(WORDS), latin, load("INTO TABLE t CHARACTER SET latin1"));
  }

  @Test
  void backslashesThatAreNoEscapes(Servers servers) throws SQLException {
    List<String> before = List.of(WORDS, "SET sql_mode = 'NO_BACKSLASH_ESCAPES'");
    String file = "1\tC:\\temp\t\\N\ta\\\n2\tNULL\tb\\\\\tc\n";
    same(servers, before, file, load("INTO TABLE t"));
    same(servers, before, file, load("INTO TABLE t FIELDS ESCAPED BY 'C'"));
    same(servers, before, file, load("INTO TABLE t FIELDS ESCAPED BY '\\'"));
    same(servers, before, file, load("INTO TABLE t (a, b, @c, d) SET c = @c"));
  }

  @Test
  void theWordNull(Servers servers) throws SQLException {
    String file = "1\tNULL\t\\N\t\"NULL\"\n2\t\"\\N\"\tN\tNU\\LL\n3\t\"7\t\"\"N\"\t\"7\"";
    for (String by : List.of("", " FIELDS ESCAPED BY ''", " FIELDS ENCLOSED BY '\"'")) {
      same(servers, List.of(WORDS), file, load("INTO TABLE t" + by));
    }
    String quoted = "INTO TABLE t FIELDS OPTIONALLY ENCLOSED BY '\"' ESCAPED BY '";
    same(servers, List.of(WORDS), file, load(quoted + "'"));
    same(servers, List.of(WORDS), file, load(quoted + "\"'"));
    same(servers, List.of(WORDS), file, load(quoted + "\"' (a, b, @c, d) SET c = @c"));
  }

  @Test
  void bytesOfCharactersThatLookLikeMarks(Servers servers) throws SQLException {
    byte[] file =
        "1\t\u0095\\\n2\ta\n3\t\\\u0095\\\\n\tb\tc\n".getBytes(StandardCharsets.ISO_8859_1);
    same(servers, List.of(WORDS), file, load("INTO TABLE t CHARACTER SET sjis"));
    same(servers, List.of(WORDS), file, load("INTO TABLE t CHARACTER SET sjis (a, @b) SET b = @b"));
    byte[] bars =
        "1|\u00a5||\u00a5^\n\u00a5\\|^\u00a5^^|\u00a5|\n".getBytes(StandardCharsets.ISO_8859_1);
    String by = " FIELDS TERMINATED BY '|' ENCLOSED BY '^'";
    for (String charset : List.of("gbk", "big5", "gb18030")) {
      same(servers, List.of(WORDS), bars, load("INTO TABLE t CHARACTER SET " + charset + by));
    }
  }

  @Test
  void marksThatAreNotOfAscii(Servers servers) throws SQLException {
    String file = "1§a§b§ä\n2§'§'§c\n";
    same(servers, List.of(WORDS), file, load("INTO TABLE t FIELDS TERMINATED BY '§'"));
    same(servers, List.of(WORDS), file, load("INTO TABLE t FIELDS TERMINATED BY x'C2A7'"));
    same(servers, List.of(WORDS), file, load("INTO TABLE t FIELDS TERMINATED BY x'A7'"));
    same(servers, List.of(WORDS), file, load("INTO TABLE t FIELDS ENCLOSED BY '§'"));
    String set = "FIELDS TERMINATED BY '§' (a, @b) SET b = @b";
    same(servers, List.of(WORDS), file, load("INTO TABLE t " + set));
    byte[] latin = file.getBytes(StandardCharsets.ISO_8859_1);
    String load = load("INTO TABLE t CHARACTER SET latin1 FIELDS TERMINATED BY '§'");
    same(servers, List.of(WORDS, "SET character_set_connection = latin1"), latin, load);
  }

  @Test
  void halfCharacters(Servers servers) throws SQLException {
    byte[] file =
        "a\u00c3b\t1\n\u00e2\t\u00c3\nb\t2\nc\u00ed\t3\nd\u00c3\u00a4\u00e2".getBytes(ISO_8859_1);
    for (String collation :
        List.of(
            "utf8mb4_bin", "utf8mb4_0900_ai_ci", "utf8mb3_bin", "latin1_swedish_ci", "binary")) {
      String type = collation.equals("binary") ? "VARBINARY(9)" : "VARCHAR(9) COLLATE " + collation;
      String words = "CREATE TABLE t (a " + type + " PRIMARY KEY, b VARCHAR(20))";
      same(servers, List.of(words), file, load("INTO TABLE t CHARACTER SET utf8mb4"));
    }
    same(servers, List.of(NUMBERS), "7\u00c3\t1\n".getBytes(ISO_8859_1), load("INTO TABLE t"));
  }

  @Test
  void numbersInEveryForm(Servers servers) throws SQLException {
    String big = "CREATE TABLE t (a BIGINT PRIMARY KEY, b INT)";
    String file = "1234567890123456789\t1\n-0009\t2\n007\t3\n-0\t5\n";
    same(servers, List.of(big), file + "9223372036854775808\t4\n", load("INTO TABLE t"));
    same(servers, List.of(big), file, load("INTO TABLE t (a, @b) SET b = @b"));
  }

  @Test
  void columnsThatTheServerFills(Servers servers) throws SQLException {
    String ids = "CREATE TABLE t (a INT PRIMARY KEY AUTO_INCREMENT, b VARCHAR(9))";
    same(servers, List.of(ids), "7\tx\n9\ty\n", load("INTO TABLE t"));
    String made = "CREATE TABLE t (a INT PRIMARY KEY, b INT, c INT AS (b + 1) STORED)";
    same(servers, List.of(made), "1\t2\n2\t3\n", load("INTO TABLE t (a, b)"));
    same(servers, List.of(made), "1\t2\t9\n2\t3\t9\n", load("INTO TABLE t"));
    String trigger = "CREATE TRIGGER g BEFORE INSERT ON t FOR EACH ROW SET NEW.c = UPPER(NEW.c)";
    same(servers, List.of(NUMBERS, trigger), "1\t2\tab\n2\t3\tcd\n", load("INTO TABLE t"));
    same(
        servers,
        List.of(WORDS),
        "a\tb\nc\td\n",
        load("INTO TABLE t (a, @v) SET b = CONCAT(@v, '!')"));
    String day = "CREATE TABLE t (a DATE PRIMARY KEY, b INT)";
    same(servers, List.of(day), "2020-01-02\t1\n20200103\t2\nx\t3\n", load("INTO TABLE t"));
    String decimal = "CREATE TABLE t (a DECIMAL(9,2) PRIMARY KEY, b INT)";
    same(servers, List.of(decimal), "1.005\t1\n 2.5\t2\n1e1\t3\n003\t4\n", load("INTO TABLE t"));
  }

  /** LAST_INSERT_ID() is the first that was made, and stays where none was. */
  @Test
  void theFirstIdIsTheLastInserted(Servers servers) throws SQLException {
    String ids = "CREATE TABLE t (a INT PRIMARY KEY AUTO_INCREMENT, b VARCHAR(9))";
    List<String> parts = List.of(ids, "INSERT INTO t (b) VALUES ('first')");
    for (String rest : List.of("(b)", "(@v) SET b = @v, a = NULL", "")) {
      for (String file : List.of("\\N\tx\n0\ty\n", "50\tx\n1\ty\n")) {
        assertEquals(
            lastInserted(servers.plain().port(), parts, file, load("INTO TABLE t " + rest)),
            lastInserted(servers.cluster().port(), parts, file, load("INTO TABLE t " + rest)),
            rest + " of " + file);
      }
    }
  }

  /** A key that the mysqld fills in must be where the row is looked for. */
  @Test
  void aRowIsFoundByAKeyThatTheFileDoesNotHave(Servers servers) throws SQLException {
    int port = servers.cluster().port();
    Servers.freshSchema(port, SCHEMA);
    try (Connection connection = MiniCluster.connect(port, SCHEMA, "&allowLoadLocalInfile=true");
        Statement statement = connection.createStatement()) {
      statement.execute(
          "CREATE TABLE t (id BIGINT AUTO_INCREMENT, k INT NOT NULL DEFAULT 5, w VARCHAR(3) NOT"
              + " NULL DEFAULT 'x', v VARCHAR(9), PRIMARY KEY(k, w, id), KEY(id))"
              + " PARTITION BY KEY(k, w) PARTITIONS 4");
      byte[] file = "a\nb\nc\n".getBytes(StandardCharsets.UTF_8);
      statement
          .unwrap(JdbcStatement.class)
          .setLocalInfileInputStream(new ByteArrayInputStream(file));
      assertEquals(3, statement.executeUpdate(load("INTO TABLE t (v)")));
      statement.unwrap(JdbcStatement.class).setLocalInfileInputStream(null);
      assertEquals(
          List.of("a", "b", "c"),
          rows(statement, "SELECT v FROM t WHERE k = 5 AND w = 'x' ORDER BY v"));
    }
  }
}
