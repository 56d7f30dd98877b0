package io.alrai.e2e.sql;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.alrai.e2e.ColumnIndexed;
import io.alrai.e2e.Servers;
import io.alrai.testing.MiniCluster;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.function.IntFunction;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** Statements with many levels, and with many parts, end as on a plain mysqld. */
@ExtendWith(Servers.Shared.class)
class DeepStatementsIT {
  private static final int TOO_DEEP = 1436;
  private static final int ROWS = 20;
  private static final int LEVELS = 60; // a mysqld takes 61
  private static final String COUNT = "SELECT COUNT(*) FROM t WHERE ";

  private static String joined(int parts, String between, IntFunction<String> part) {
    return IntStream.range(0, parts).mapToObj(part).collect(Collectors.joining(between));
  }

  private static List<String> lengthy(int parts) {
    return List.of(
        COUNT + joined(parts, " OR ", i -> "(a = " + i + " AND b = 7)"),
        COUNT + joined(parts, " AND ", i -> "a <> " + (i + 5)),
        COUNT + "(a, b) IN (" + joined(parts, ", ", i -> "(" + i + ", 7)") + ")",
        COUNT + "b IN (" + joined(parts, ", ", i -> "" + i) + ")",
        "SELECT SUM(CASE a " + joined(parts, " ", i -> "WHEN " + i + " THEN 1") + " END) FROM t",
        "SELECT LENGTH(CONCAT(" + joined(parts, ", ", i -> "'x'") + "))",
        "SELECT COUNT(*) FROM (" + joined(parts, " UNION ALL ", i -> "SELECT " + i) + ") u");
  }

  private static List<String> nested(int levels) {
    int queries = Math.min(levels, LEVELS);
    return List.of(
        "SELECT " + "(".repeat(levels) + "1" + ")".repeat(levels),
        "SELECT " + joined(levels, " + ", i -> "1"),
        "SELECT SUM(" + "ABS(".repeat(levels) + "b" + ")".repeat(levels) + ") FROM t",
        "SELECT " + "NOT ".repeat(levels) + "1",
        COUNT
            + "a IN ("
            + "SELECT a FROM t WHERE a IN (".repeat(queries)
            + "1"
            + ")".repeat(queries)
            + ")",
        "SELECT COUNT(*) FROM t t0 WHERE "
            + joined(
                queries,
                "",
                i ->
                    "EXISTS (SELECT 1 FROM t t%d WHERE t%d.a = t%d.a AND "
                        .formatted(i + 1, i + 1, i))
            + "1"
            + ")".repeat(queries),
        "SELECT COUNT(*) FROM "
            + "(SELECT * FROM ".repeat(queries)
            + "t"
            + joined(queries, "", i -> ") d" + i),
        "SELECT COUNT(*) FROM t t0"
            + joined(queries, "", i -> " JOIN t t%d ON t%d.a = t%d.a".formatted(i + 1, i + 1, i)));
  }

  private static String outcome(Statement statement, String sql) {
    try {
      return Servers.only(statement, sql);
    } catch (SQLException e) {
      return "error " + e.getErrorCode();
    }
  }

  private static void compare(Connection plain, Connection alrai) throws SQLException {
    List<String> texts = new ArrayList<>();
    for (int parts : new int[] {300, 3_000, 20_000}) {
      texts.addAll(lengthy(parts));
    }
    for (int levels : new int[] {30, 500, 3_000}) {
      texts.addAll(nested(levels));
    }
    try (Statement expected = plain.createStatement();
        Statement actual = alrai.createStatement()) {
      for (String text : texts) {
        String shown =
            text.length() + " bytes of " + text.substring(0, Math.min(80, text.length()));
        assertEquals(outcome(expected, text), outcome(actual, text), shown);
      }
    }
  }

  @Test
  void theyEndAsOnAPlainMysqld(Servers servers) throws SQLException {
    int port = servers.cluster().port();
    Servers.freshRows(port, "deep", ROWS, 7);
    Servers.freshRows(servers.plain().port(), "deep", ROWS, 7);
    try (Connection plain = MiniCluster.connect(servers.plain().port(), "deep", "");
        Connection alrai = MiniCluster.connect(port, "deep", "");
        Statement statement = alrai.createStatement()) {
      compare(plain, alrai);
      ColumnIndexed.create(alrai, "t", "a");
      statement.execute("SET workload_type = 'AP'");
      compare(plain, alrai);
    }
  }

  @Test
  void whatIsTooDeepIsAnErrorAndTheConnectionStays(Servers servers) throws SQLException {
    try (Connection alrai = servers.cluster().connect("");
        Statement statement = alrai.createStatement()) {
      int levels = 400_000;
      List<String> texts =
          List.of(
              "SELECT " + "(".repeat(levels) + "1" + ")".repeat(levels),
              "SELECT " + "(0 + ".repeat(levels) + "1" + ")".repeat(levels),
              "SELECT " + "ABS(".repeat(levels) + "1" + ")".repeat(levels),
              "SELECT " + "NOT ".repeat(levels) + "1",
              "SELECT " + "- ".repeat(levels) + "1",
              "SELECT " + "CASE 1 WHEN ".repeat(levels),
              "SELECT * FROM " + "(".repeat(levels) + "t" + ")".repeat(levels),
              "SELECT " + "(SELECT ".repeat(levels) + "1" + ")".repeat(levels),
              "(".repeat(levels) + "SELECT 1" + ")".repeat(levels));
      for (String text : texts) {
        assertEquals("error " + TOO_DEEP, outcome(statement, text), text.substring(0, 30));
        assertEquals("1", outcome(statement, "SELECT 1"));
      }
    }
  }
}
