package io.alrai.e2e.sql;

import static org.junit.jupiter.api.Assertions.assertTrue;

import io.alrai.e2e.Servers;
import io.alrai.testing.MiniCluster;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.sql.Connection;
import java.sql.Date;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.ResultSetMetaData;
import java.sql.SQLException;
import java.sql.Timestamp;
import java.sql.Types;
import java.time.LocalTime;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/**
 * Expressions over parameters of all types, in statements of one place and of several: columns,
 * values and errors are those of a plain mysqld, whatever types others have given such parameters.
 */
@ExtendWith(Servers.Shared.class)
class PreparedTypesIT {
  private static final String SCHEMA = "preptypes";
  private static final String PREPARED = "&useServerPrepStmts=true";

  private static final List<String> TABLES =
      List.of(
          "CREATE TABLE p (k INT PRIMARY KEY, i INT, d DECIMAL(8,3), g DOUBLE, s VARCHAR(20),"
              + " da DATE, dt DATETIME, t TIME) /*alrai PARTITION BY KEY(k) PARTITIONS 4 */",
          "CREATE TABLE o (k INT PRIMARY KEY, v INT) /*alrai PARTITION BY KEY(k) PARTITIONS 4 */",
          "CREATE TABLE one (k INT PRIMARY KEY, i INT, d DECIMAL(8,3), g DOUBLE, s VARCHAR(20),"
              + " da DATE, dt DATETIME, t TIME) /*alrai SINGLE */",
          "INSERT INTO p VALUES (1, 5, 1.125, 2.5, '7', '2026-02-28', '2026-02-28 23:00:00',"
              + " '10:20:30'), (2, -3, -0.5, 1e10, 'abc', '2024-02-29', '2024-02-29 00:00:01',"
              + " '-00:00:01'), (3, NULL, NULL, NULL, NULL, NULL, NULL, NULL)",
          "INSERT INTO o VALUES (1, 3), (2, 1), (3, 2)",
          "INSERT INTO one SELECT * FROM p");

  private static final List<String> EXPRESSIONS =
      List.of(
          "?",
          "? + 1",
          "i + ?",
          "d * ?",
          "g - ?",
          "? / 3",
          "? DIV 2",
          "-?",
          "ABS(?)",
          "ROUND(?, 1)",
          "CASE WHEN i > 1 THEN ? ELSE i END",
          "CASE WHEN i > 1 THEN ? ELSE d END",
          "CASE WHEN i > 1 THEN ? END",
          "IF(i > 1, ?, s)",
          "COALESCE(?, i)",
          "IFNULL(d, ?)",
          "NULLIF(?, 1)",
          "GREATEST(i, ?)",
          "CONCAT(?, 'x')",
          "s = ?",
          "i > ?",
          "dt > ?",
          "t < ?",
          "da + INTERVAL ? DAY",
          "? + INTERVAL 1 HOUR",
          "DATE_SUB(?, INTERVAL 90 MINUTE)",
          "ADDTIME(dt, ?)",
          "TIMEDIFF(?, '01:00:00')",
          "HOUR(?)",
          "TIMESTAMP(?)",
          "DATE_FORMAT(?, '%H:%i')");

  /** A statement for each kind of plan, over {@code #}. */
  private static final Map<String, String> PLANS = new LinkedHashMap<>();

  static {
    PLANS.put("one place", "SELECT # e FROM one ORDER BY k");
    PLANS.put("by key", "SELECT # e FROM p WHERE k = 1");
    PLANS.put("several places", "SELECT k, # e FROM p ORDER BY k");
    PLANS.put("several keys", "SELECT k, # e FROM p WHERE k IN (1, 2, 3) ORDER BY k");
    PLANS.put("after FROM", "SELECT k FROM p WHERE # IS NOT NULL ORDER BY k");
    PLANS.put("a join", "SELECT o.k, # e FROM p JOIN o ON o.v = p.k ORDER BY o.k");
    PLANS.put("an outer join", "SELECT o.k, # e FROM o LEFT JOIN p ON o.v = p.k + 1 ORDER BY o.k");
    PLANS.put("a limit", "SELECT k, # e FROM p ORDER BY k LIMIT 2");
    PLANS.put("a sort", "SELECT k, # e FROM p ORDER BY e, k");
    PLANS.put("groups", "SELECT k, MAX(#) e FROM p GROUP BY k ORDER BY k");
    PLANS.put("groups of several places", "SELECT t, MIN(#) e FROM p GROUP BY t ORDER BY t");
    PLANS.put("one group", "SELECT COUNT(*), MAX(#) e FROM p");
    PLANS.put("an average", "SELECT COUNT(*), AVG(#) e FROM p");
    PLANS.put("a subquery", "SELECT k, (SELECT MAX(v) FROM o) m, # e FROM p ORDER BY k");
  }

  private record Bound(String name, Object value, int type) {}

  private static final List<Bound> VALUES =
      List.of(
          new Bound("TINYINT", (byte) 2, Types.TINYINT),
          new Bound("INT", 7, Types.INTEGER),
          new Bound("BIGINT", 1L << 40, Types.BIGINT),
          new Bound("unsigned", new BigInteger("18446744073709551615"), Types.BIGINT),
          new Bound("DECIMAL", new BigDecimal("1.50"), Types.DECIMAL),
          new Bound("DOUBLE", 2.5, Types.DOUBLE),
          new Bound("FLOAT", 0.1f, Types.FLOAT),
          new Bound("large", 1e308, Types.DOUBLE),
          new Bound("text number", "12", Types.VARCHAR),
          new Bound("text", "abc", Types.VARCHAR),
          new Bound("date text", "2026-03-01 10:00:00", Types.VARCHAR),
          new Bound("bytes", new byte[] {'4', '2'}, Types.BINARY),
          new Bound("DATE", Date.valueOf("2026-02-28"), Types.DATE),
          new Bound("DATETIME", Timestamp.valueOf("2026-02-28 22:30:00"), Types.TIMESTAMP),
          new Bound("fraction", Timestamp.valueOf("2026-02-28 22:30:00.25"), Types.TIMESTAMP),
          new Bound("TIME", LocalTime.of(10, 20, 30), Types.TIME),
          new Bound("TIME(6)", LocalTime.of(10, 20, 30, 500_000_000), Types.TIME));

  private static void fill(int port) throws SQLException {
    Servers.freshSchema(port, SCHEMA);
    try (Connection connection = MiniCluster.connect(port, SCHEMA, "")) {
      Servers.run(connection, TABLES.toArray(String[]::new));
    }
  }

  /** Columns and rows of one execution, or its error. */
  private static String answer(PreparedStatement statement, Bound bound) {
    try {
      if (bound == null) {
        statement.setNull(1, Types.NULL);
      } else {
        statement.setObject(1, bound.value(), bound.type());
      }
      try (ResultSet rows = statement.executeQuery()) {
        return text(rows);
      }
    } catch (SQLException e) {
      return e.getErrorCode() + " " + e.getMessage();
    }
  }

  private static String text(ResultSet rows) throws SQLException {
    ResultSetMetaData columns = rows.getMetaData();
    List<String> parts = new ArrayList<>();
    for (int i = 1; i <= columns.getColumnCount(); i++) {
      parts.add(
          columns.getColumnTypeName(i)
              + "("
              + columns.getPrecision(i)
              + ","
              + columns.getScale(i)
              + ")");
    }
    while (rows.next()) {
      for (int i = 1; i <= columns.getColumnCount(); i++) {
        parts.add(value(rows, i));
      }
    }
    return String.join("|", parts);
  }

  /** The value of a column that is said to be a number: what comes may be none. */
  private static String value(ResultSet rows, int column) throws SQLException {
    try {
      return rows.getString(column);
    } catch (NumberFormatException e) {
      return "no number";
    }
  }

  /** How many of a DECIMAL's 30 decimals are shown depends on the plan that a mysqld makes. */
  private static boolean showsOtherDigits(String plan, String expression) {
    return (plan.contains("join") && expression.startsWith("CASE"))
        || (plan.equals("an average") && expression.equals("IFNULL(d, ?)"));
  }

  @Test
  void valuesAndTypesAreThoseOfAPlainServer(Servers servers) throws SQLException {
    fill(servers.plain().port());
    fill(servers.cluster().port());
    List<String> differences = new ArrayList<>();
    int compared = 0;
    try (Connection plain = MiniCluster.connect(servers.plain().port(), SCHEMA, PREPARED);
        Connection alrai = MiniCluster.connect(servers.cluster().port(), SCHEMA, PREPARED)) {
      for (Map.Entry<String, String> plan : PLANS.entrySet()) {
        for (String expression : EXPRESSIONS) {
          if (showsOtherDigits(plan.getKey(), expression)) {
            continue;
          }
          String sql = plan.getValue().replace("#", expression);
          compared += compare(plain, alrai, sql, plan.getKey(), differences);
        }
      }
    }
    System.out.printf("%,d executions compared%n", compared);
    assertTrue(differences.isEmpty(), differences.size() + "\n" + String.join("\n", differences));
  }

  private static int compare(
      Connection plain, Connection alrai, String sql, String plan, List<String> differences) {
    int compared = 0;
    List<Bound> values = new ArrayList<>(VALUES);
    values.add(null);
    for (Bound bound : values) {
      try (PreparedStatement expected = plain.prepareStatement(sql);
          PreparedStatement actual = alrai.prepareStatement(sql)) {
        String first = answer(expected, bound);
        String second = answer(actual, bound);
        compared++;
        if (!first.equals(second)) {
          String type = bound == null ? "NULL" : bound.name();
          differences.add(
              plan + ": " + type + " in " + sql + "\n  plain " + first + "\n  alrai " + second);
        }
      } catch (SQLException e) {
        differences.add(sql + " cannot be prepared: " + e.getMessage());
        return compared;
      }
    }
    return compared;
  }
}
