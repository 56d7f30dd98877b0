package io.alrai.e2e.sql;

import java.util.ArrayList;
import java.util.List;
import java.util.random.RandomGenerator;

/**
 * Random tables, rows and SELECTs whose answers MySQL defines: LIMIT follows a total order only, no
 * two strings are equal without being the same, no floating point sum rounds. What MySQL itself
 * answers in one way or another, as its plan has a temporary table or not, is left out: the digits
 * of expressions with branches of different scales, the width of truth values, the warnings of MAX
 * over dates that are NULL.
 */
final class RandomSelects {
  /** Their columns: a key, numbers, strings and a day. */
  private static final String COLUMNS =
      "id INT NOT NULL, g INT, n DECIMAL(8,2), f DOUBLE, u BIGINT UNSIGNED,"
          + " s VARCHAR(10), d DATE, e ENUM('x', 'y', 'z'), PRIMARY KEY (id)";

  private static final List<String> TABLES = List.of("ta", "tb", "tc", "td");
  private static final List<String> STRINGS =
      List.of("''", "'a'", "'B'", "'ab'", "'c d'", "'é'", "'zz'", "'Ü'", "'a%'", "'%'");

  private final RandomGenerator random;

  /** A statement and whether its rows come in any order. */
  record Select(String sql, boolean anyOrder) {}

  RandomSelects(RandomGenerator random) {
    this.random = random;
  }

  /** Tables and rows; clauses for Alrai alone stand in {@code /*alrai ..*}{@code /}. */
  List<String> setup() {
    List<String> statements = new ArrayList<>();
    List<String> clauses =
        List.of(
            "PARTITION BY KEY(id) PARTITIONS 5",
            "PARTITION BY KEY(id) PARTITIONS 5",
            "PARTITION BY HASH(id) PARTITIONS 3",
            "BROADCAST");
    for (int i = 0; i < TABLES.size(); i++) {
      statements.add(
          "CREATE TABLE " + TABLES.get(i) + " (" + COLUMNS + ") /*alrai " + clauses.get(i) + " */");
      List<String> rows = new ArrayList<>();
      int id = 0;
      for (int count = 1 + random.nextInt(40); count > 0; count--) {
        id += 1 + random.nextInt(3);
        rows.add(row(id));
      }
      statements.add("INSERT INTO " + TABLES.get(i) + " VALUES " + String.join(", ", rows));
    }
    return statements;
  }

  private String row(int id) {
    List<String> cells =
        List.of(
            Integer.toString(id),
            orNull(Integer.toString(random.nextInt(6))),
            orNull(random.nextInt(2000) - 1000 + "." + (10 + random.nextInt(90))),
            orNull((random.nextInt(64) - 32) / 4.0 + "e0"),
            orNull(Integer.toString(random.nextInt(50))),
            orNull(any(STRINGS)),
            orNull("'2024-0" + (1 + random.nextInt(3)) + "-1" + random.nextInt(10) + "'"),
            orNull("'" + "xyz".charAt(random.nextInt(3)) + "'"));
    return "(" + String.join(", ", cells) + ")";
  }

  private String orNull(String value) {
    return random.nextInt(6) == 0 ? "NULL" : value;
  }

  private <T> T any(List<T> list) {
    return list.get(random.nextInt(list.size()));
  }

  private boolean chance(int percent) {
    return random.nextInt(100) < percent;
  }

  /** The next SELECT. */
  Select next() {
    return switch (random.nextInt(7)) {
      case 0, 1 -> rows();
      case 2, 3 -> groups();
      case 4 -> joined();
      case 5 -> distinct();
      default -> union();
    };
  }

  private Select rows() {
    String table = any(TABLES);
    List<String> items = new ArrayList<>(List.of("id"));
    int count = random.nextInt(4);
    for (int i = 0; i < count; i++) {
      items.add(expression("") + (chance(50) ? " AS c" + i : ""));
    }
    String list = chance(15) ? "*" : String.join(", ", items);
    String sql = "SELECT " + list + " FROM " + table + where("", table);
    if (chance(30)) {
      return new Select(sql, true);
    }
    String order = chance(60) ? column("") + direction() + ", " : "";
    return new Select(sql + " ORDER BY " + order + "id" + direction() + limit(), false);
  }

  private Select groups() {
    String table = any(TABLES);
    List<String> keys = new ArrayList<>();
    for (int i = random.nextInt(3); i > 0; i--) {
      keys.add(any(List.of("g", "s", "d", "e", "id % 3", "LEFT(d, 4)", "g + 1", "u")));
    }
    List<String> items = new ArrayList<>(keys);
    for (int i = 1 + random.nextInt(3); i > 0; i--) {
      items.add(aggregate(""));
    }
    String sql = "SELECT " + String.join(", ", items) + " FROM " + table + where("", table);
    if (keys.isEmpty()) {
      return new Select(sql, false);
    }
    sql += " GROUP BY " + String.join(", ", keys);
    boolean rollup = chance(10);
    if (rollup) {
      sql += " WITH ROLLUP";
    }
    if (chance(25)) {
      sql += " HAVING " + having() + random.nextInt(3);
    }
    if (rollup) {
      return new Select(sql, true);
    }
    return chance(50)
        ? new Select(sql, true)
        : new Select(sql + " ORDER BY " + String.join(direction() + ", ", keys) + limit(), false);
  }

  private Select joined() {
    String left = any(TABLES);
    String right = any(TABLES);
    String kind = chance(60) ? "JOIN" : "LEFT JOIN";
    String on = chance(60) ? "x.id = y.id" : "x.g = y.g";
    String from = " FROM " + left + " x " + kind + " " + right + " y ON " + on;
    String sql =
        "SELECT x.id, y.id AS other, "
            + expression("x.")
            + " AS p, "
            + expression("y.")
            + from
            + where("x.", left);
    return chance(40)
        ? new Select("SELECT " + aggregate("y.") + ", COUNT(*)" + from + where("x.", left), false)
        : new Select(sql + " ORDER BY x.id" + direction() + ", y.id" + limit(), false);
  }

  private Select distinct() {
    String table = any(TABLES);
    String first = column("");
    String second = expression("");
    String sql = "SELECT DISTINCT " + first + ", " + second + " AS z FROM " + table;
    return chance(50)
        ? new Select(sql + where("", table), true)
        : new Select(sql + " ORDER BY " + first + direction() + ", z" + limit(), false);
  }

  private Select union() {
    String operator = any(List.of(" UNION ", " UNION ALL ", " EXCEPT ", " INTERSECT "));
    String left = any(TABLES);
    String right = any(TABLES);
    String sql =
        "SELECT g, id FROM "
            + left
            + where("", left)
            + operator
            + "SELECT g, id FROM "
            + right
            + where("", right);
    return chance(50)
        ? new Select(sql, true)
        : new Select(sql + " ORDER BY id, g" + limit(), false);
  }

  private String where(String prefix, String table) {
    if (chance(30)) {
      return "";
    }
    String first = condition(prefix, table);
    return " WHERE "
        + (chance(40) ? first + any(List.of(" AND ", " OR ")) + condition(prefix, table) : first);
  }

  private String condition(String p, String table) {
    int number = random.nextInt(40);
    return switch (random.nextInt(11)) {
      case 0 -> p + "id = " + number;
      case 1 -> p + "id IN (" + number + ", " + (number + 2) + ", " + (number + 5) + ")";
      case 2 -> p + "id BETWEEN " + number + " AND " + (number + random.nextInt(30));
      case 3 -> p + "g " + any(List.of("=", "<", ">=", "<>", "<=>")) + " " + number % 6;
      case 4 -> p + any(List.of("s", "d", "n", "e")) + any(List.of(" IS NULL", " IS NOT NULL"));
      case 5 -> p + "s " + any(List.of("=", "<", ">", "LIKE")) + " " + any(STRINGS);
      case 6 -> p + "n > " + (number * 10 - 200) + ".5";
      case 7 -> "NOT (" + p + "u < " + number + ")";
      case 8 -> p + "d >= '2024-02-1" + number % 10 + "'";
      case 9 -> p + "g IN (SELECT g FROM " + any(TABLES) + " WHERE id < " + number + ")";
      default -> p + "id > (SELECT MIN(id) FROM " + any(TABLES) + ")";
    };
  }

  private String column(String prefix) {
    return prefix + any(List.of("id", "g", "n", "f", "u", "s", "d", "e"));
  }

  private String expression(String p) {
    return switch (random.nextInt(12)) {
      case 0 -> p + "id + " + random.nextInt(9);
      case 1 -> p + "n * 2";
      case 2 -> "COALESCE(" + p + "g, -1)";
      case 3 -> "CONCAT(" + p + "s, '-', " + p + "g)";
      case 4 -> "IF(" + p + "g > 2, " + p + "s, 'no')";
      case 5 -> "CASE WHEN " + p + "n > 0 THEN " + p + "n ELSE -" + p + "n END";
      case 6 -> "UPPER(" + p + "s)";
      case 7 -> p + "f / 2";
      case 8 -> p + "d + INTERVAL 1 DAY";
      case 9 -> "IFNULL(" + p + "g, 0)";
      default -> column(p);
    };
  }

  private String having() {
    return any(
        List.of("COUNT(*) > ", "SUM(g) > ", "MAX(id) % 3 = ", "COUNT(DISTINCT s) > ", "MIN(n) < "));
  }

  private String aggregate(String p) {
    return switch (random.nextInt(13)) {
      case 0 -> "COUNT(*)";
      case 1 -> "COUNT(" + column(p) + ")";
      case 2 -> "SUM(" + p + any(List.of("id", "g", "n", "f", "u")) + ")";
      case 3 -> "AVG(" + p + any(List.of("id", "g", "n", "u")) + ")";
      case 4 -> "MIN(" + p + any(List.of("id", "n", "f", "s")) + ")";
      case 5 -> "MAX(" + p + any(List.of("id", "n", "f", "s")) + ")";
      case 6 -> "COUNT(DISTINCT " + p + any(List.of("g", "s", "e")) + ")";
      case 7 -> "SUM(" + p + "g > 2)";
      case 8 -> "MAX(" + p + "g) - MIN(" + p + "g)";
      case 9 -> "COALESCE(SUM(" + p + "g), 0) * 2";
      case 10 -> "ROUND(SUM(" + p + "n) / COUNT(*), 3)";
      case 11 -> "CONCAT(MIN(" + p + "id), '-', COUNT(*))";
      default -> "GROUP_CONCAT(" + p + "g ORDER BY " + p + "g)";
    };
  }

  private String direction() {
    return chance(40) ? " DESC" : "";
  }

  private String limit() {
    return chance(40)
        ? " LIMIT " + random.nextInt(12) + (chance(30) ? " OFFSET " + random.nextInt(5) : "")
        : "";
  }
}
