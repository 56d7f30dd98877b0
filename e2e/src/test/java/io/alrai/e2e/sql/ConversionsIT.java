package io.alrai.e2e.sql;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.alrai.e2e.Servers;
import io.alrai.testing.MiniCluster;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.SQLWarning;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Values that go from one table to another over the CN are what MySQL makes of them: every type of
 * column into every other, by all statements that do it, with border values, under a strict mode
 * and without. {@code -Dconversions.share=1} tries all pairs of a value and a type, {@code
 * -Dconversions.seed=N} the same ones again.
 */
@ExtendWith(Servers.Shared.class)
class ConversionsIT {
  private static final int SHARE = Integer.getInteger("conversions.share", 6);

  /** A column, its values. */
  private record Typed(String name, String type, List<String> values) {
    static Typed of(String name, String type, String... values) {
      return new Typed(name, type, List.of(values));
    }

    /** Which shows what a column holds, to the last bit. */
    String shown() {
      return switch (name) {
        case "vec" -> "HEX(vec)";
        case "pt" -> "HEX(ST_AsBinary(pt))";
        case "js" ->
            "CONCAT_WS('/', js, JSON_TYPE(js), " + leaves("[*]") + ", " + leaves(".*") + ")";
        default -> "CONCAT_WS('/', HEX(" + name + "), HEX(CAST(" + name + " AS CHAR)))";
      };
    }

    private static String leaves(String path) {
      return "(SELECT JSON_ARRAYAGG(JSON_TYPE(v)) FROM JSON_TABLE(js, '$**"
          + path
          + "' COLUMNS (v JSON PATH '$')) x)";
    }
  }

  private static final List<Typed> TYPES =
      List.of(
          Typed.of("tiny", "TINYINT", "-128", "127", "0"),
          Typed.of("ubig", "BIGINT UNSIGNED", "18446744073709551615", "5"),
          Typed.of("big", "BIGINT", "-9223372036854775808", "20240229"),
          Typed.of("zf", "INT(5) ZEROFILL", "42"),
          Typed.of("dec0", "DECIMAL(30,0)", "12345678901234567890123", "5"),
          Typed.of("decn", "DECIMAL(20,6)", "1.5", "-0.000001"),
          Typed.of("flt", "FLOAT", "16777217", "0.1"),
          Typed.of("dbl", "DOUBLE", "1e300", "0.1", "-2.5"),
          Typed.of("bit8", "BIT(8)", "5", "255", "65"),
          Typed.of("bit64", "BIT(64)", "18446744073709551615", "2"),
          Typed.of("yr", "YEAR", "2024", "0"),
          Typed.of("dt", "DATE", "'2024-02-29'", "'0000-00-00'", "'2024-00-00'"),
          Typed.of("tm", "TIME", "'-838:59:59'", "'10:11:12'"),
          Typed.of("tm6", "TIME(6)", "'10:11:12.654321'"),
          Typed.of("dtm", "DATETIME", "'2024-02-29 10:11:12'", "'0000-00-00 00:00:00'"),
          Typed.of("dtm6", "DATETIME(6)", "'2024-02-29 23:59:59.999999'"),
          Typed.of("ts", "TIMESTAMP", "'2024-02-29 10:11:12'"),
          Typed.of("ts3", "TIMESTAMP(3)", "'2024-02-29 10:11:12.345'"),
          Typed.of(
              "vc",
              "VARCHAR(40)",
              "'abc'",
              "'12'",
              "'2024-02-29'",
              "''",
              "'é'",
              "'b'",
              "'5.5x'",
              "'{\"a\":1}'"),
          Typed.of("vcl", "VARCHAR(40) CHARACTER SET latin1", "'é'", "'2'"),
          Typed.of("txt", "TEXT", "'12'", "'10:11:12'"),
          Typed.of("vb", "VARBINARY(40)", "'abc'", "'12'", "x'00ff'"),
          Typed.of("bin4", "BINARY(4)", "'12'"),
          Typed.of("blb", "BLOB", "'12'", "x'ff'"),
          Typed.of("en", "ENUM('a','b','12','é')", "'b'", "'12'", "'é'"),
          Typed.of("st", "SET('a','b','c')", "'a,c'", "''"),
          Typed.of(
              "js",
              "JSON",
              "'{\"a\": 1}'",
              "'5'",
              "'\"abc\"'",
              "'\"2024-02-29\"'",
              "CAST(12345678901234567890123456789.5 AS JSON)",
              "JSON_ARRAY(DATE'2024-02-29', TIME'-10:11:12', TIMESTAMP'2024-02-29 10:11:12.5',"
                  + " 1.50, CAST(5 AS UNSIGNED), 5, 2.0, 1e0, NULL, TRUE, x'4142')",
              "JSON_OBJECT('\"a\\\\', JSON_ARRAY(1.10, JSON_OBJECT('n', CAST(7 AS DECIMAL))),"
                  + " 'é', DATE'2024-03-01', 'b', JSON_OBJECT())"),
          Typed.of("pt", "POINT", "ST_GeomFromText('POINT(1 2)')"),
          Typed.of("vec", "VECTOR(2)", "TO_VECTOR('[1,2]')"));

  /** The statements by which a value comes from s to d; the row has the id 1000. */
  private enum Way {
    COPY("INSERT INTO d (id, %2$s) SELECT id + %4$d, %1$s FROM s WHERE id = %3$d"),
    IGNORE("INSERT IGNORE INTO d (id, %2$s) SELECT id + %4$d, %1$s FROM s WHERE id = %3$d"),
    EXPRESSION(
        "INSERT INTO d (id, %2$s) SELECT id + %4$d, COALESCE(%1$s, %1$s) FROM s WHERE id = %3$d"),
    UNION(
        "INSERT INTO d (id, %2$s) SELECT id + %4$d, %1$s FROM s WHERE id = %3$d UNION ALL"
            + " SELECT id + %4$d, %1$s FROM s WHERE id < 0"),
    GROUP(
        "INSERT INTO d (id, %2$s) SELECT MAX(id) + %4$d, MAX(%1$s) FROM s WHERE id = %3$d"
            + " GROUP BY id"),
    DUPLICATE(
        "INSERT INTO d (id, %2$s) SELECT 1001, %1$s FROM s WHERE id = %3$d"
            + " ON DUPLICATE KEY UPDATE %2$s = VALUES(%2$s)"),
    UPDATE("UPDATE d JOIN s ON d.id = s.id + 1000 - %3$d SET d.%2$s = s.%1$s WHERE s.id = %3$d"),
    UPDATE_IGNORE(
        "UPDATE IGNORE d JOIN s ON d.id = s.id + 1000 - %3$d SET d.%2$s = s.%1$s"
            + " WHERE s.id = %3$d");

    private final String sql;

    Way(String sql) {
      this.sql = sql;
    }

    /** What MySQL does with some types depends on the expression that they come out of. */
    boolean tells(Typed from, Typed to) {
      return switch (this) {
        case EXPRESSION, GROUP -> !List.of("bit8", "bit64", "js", "en", "st").contains(from.name);
        case UNION -> !List.of("flt", "yr", "js").contains(from.name);
        // a DECIMAL within JSON is a DOUBLE on its way to a number
        case UPDATE, UPDATE_IGNORE ->
            !from.name.equals("js") || List.of("js", "vc", "txt").contains(to.name);
        default -> true;
      };
    }

    String of(Typed from, int id, Typed to) {
      return String.format(sql, from.name, to.name, id, 1001 - id);
    }
  }

  private static void make(Connection connection) throws SQLException {
    List<String> columns =
        TYPES.stream().map(each -> each.name + " " + each.type + " NULL").toList();
    String definition = " (id INT PRIMARY KEY, " + String.join(", ", columns) + ")";
    Servers.run(
        connection,
        "SET sql_mode = '', time_zone = '+00:00', timestamp = 1700000000",
        "CREATE TABLE s" + definition,
        "CREATE TABLE d" + definition,
        "INSERT INTO d (id) VALUES (1000)");
    int id = 0;
    for (Typed each : TYPES) {
      for (String value : each.values) {
        Servers.run(
            connection,
            "INSERT INTO s (id, " + each.name + ") VALUES (" + ++id + ", " + value + ")");
      }
    }
  }

  /** What a server does, and what the row holds after it. */
  private static String outcome(Connection connection, String sql, Typed to) throws SQLException {
    StringBuilder outcome = new StringBuilder();
    try (Statement statement = connection.createStatement()) {
      try {
        outcome.append(statement.executeUpdate(sql)).append(" rows");
        TreeSet<String> told = new TreeSet<>();
        for (SQLWarning one = statement.getWarnings(); one != null; one = one.getNextWarning()) {
          told.add(one.getErrorCode() + " " + one.getMessage());
        }
        outcome.append(told);
      } catch (SQLException e) {
        outcome.append(e.getErrorCode()).append(' ').append(e.getMessage());
      }
      String read = "SELECT id, " + to.shown() + " FROM d WHERE " + to.name + " IS NOT NULL";
      try (ResultSet rows = statement.executeQuery(read)) {
        while (rows.next()) {
          outcome.append("; ").append(rows.getString(1)).append(": ").append(rows.getString(2));
        }
      }
      statement.execute("DELETE FROM d WHERE id > 1000");
      statement.execute("UPDATE d SET " + to.name + " = NULL");
    }
    return outcome.toString();
  }

  /**
   * A mysqld's own sentences tell of its buffers, or of a first try that others do not make; a date
   * of zeros that IGNORE has let a conversion make is also reported where it is stored.
   */
  private static String comparable(String outcome) {
    return outcome
        .replaceAll("(6136 .*of type '\\w+, size): \\d+", "$1")
        .replaceAll("(0000-00-00 00:00:00)\\.0+'", "$1'")
        .replaceAll("1264 Out of range value for column '(\\w+)' at row 1, (1265 .*'\\1')", "$2");
  }

  @ParameterizedTest
  @EnumSource
  void everyTypeGoesIntoEveryOther(Way way, Servers servers) throws SQLException {
    long seed = Long.getLong("conversions.seed", System.nanoTime());
    Random random = new Random(seed * 31 + way.ordinal());
    List<String> differences = new ArrayList<>();
    Servers.freshSchema(servers.plain().port(), "conversions");
    Servers.freshSchema(servers.cluster().port(), "conversions");
    int tried = 0;
    try (Connection plain = MiniCluster.connect(servers.plain().port(), "conversions", "");
        Connection alrai = MiniCluster.connect(servers.cluster().port(), "conversions", "")) {
      make(plain);
      make(alrai);
      int id = 0;
      for (Typed from : TYPES) {
        for (String value : from.values) {
          id++;
          for (Typed to : TYPES) {
            if (random.nextInt(SHARE) > 0 || !way.tells(from, to)) {
              continue;
            }
            String mode = random.nextBoolean() ? "SET sql_mode = DEFAULT" : "SET sql_mode = ''";
            Servers.run(plain, mode);
            Servers.run(alrai, mode);
            String sql = way.of(from, id, to);
            String expected = comparable(outcome(plain, sql, to));
            String actual = comparable(outcome(alrai, sql, to));
            if (!expected.equals(actual)) {
              differences.add(
                  value
                      + ", "
                      + mode
                      + "\n"
                      + sql
                      + "\n  mysqld: "
                      + expected
                      + "\n  alrai:  "
                      + actual);
            }
            tried++;
          }
        }
      }
    }
    assertEquals(List.of(), differences, "seed " + seed + ", " + tried + " tried, way " + way);
  }

  @Test
  void datesOutOfRangeAreErrorsOfWhatTheyAreFor(Servers servers) throws SQLException {
    List<String> answers = new ArrayList<>();
    for (int port : List.of(servers.plain().port(), servers.cluster().port())) {
      Servers.freshSchema(port, "outofrange");
      try (Connection connection = MiniCluster.connect(port, "outofrange", "")) {
        Servers.run(
            connection,
            "CREATE TABLE t (id INT PRIMARY KEY, d DATE)",
            "CREATE TABLE u (id INT PRIMARY KEY, d DATE)",
            "INSERT INTO t VALUES (1, '9999-12-31'), (2, '2024-01-31')",
            "INSERT INTO u VALUES (1, NULL)");
        StringBuilder answer = new StringBuilder();
        for (String sql :
            List.of(
                "INSERT INTO u SELECT id + 10, d + INTERVAL 1 DAY FROM t WHERE id = 1",
                "INSERT INTO u SELECT id + 10, d + INTERVAL 1 DAY FROM t WHERE id = 2",
                "CREATE TABLE c SELECT id, d + INTERVAL 1 DAY AS d FROM t WHERE id = 1",
                "UPDATE u JOIN t ON t.id = u.id SET u.d = t.d + INTERVAL 1 DAY",
                "INSERT IGNORE INTO u SELECT id + 20, d + INTERVAL 1 DAY FROM t WHERE id = 1")) {
          try (Statement statement = connection.createStatement()) {
            answer.append(statement.executeUpdate(sql)).append('\n');
          } catch (SQLException e) {
            answer.append(e.getErrorCode()).append(' ').append(e.getMessage()).append('\n');
          }
        }
        answers.add(
            answer.append(Servers.column(connection, "SELECT d FROM u ORDER BY id")).toString());
      }
    }
    assertEquals(answers.getFirst(), answers.getLast());
  }
}
