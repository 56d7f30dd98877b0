package io.alrai.e2e.sql;

import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.stream.IntStream;

/**
 * Random SELECTs of the kinds that column indexes answer: joins of up to three tables, groups,
 * subqueries of all kinds, derived tables, over whole numbers, decimals, floating point numbers,
 * strings, dates and NULLs. As with {@link RandomSelects}, their answers are those that MySQL
 * defines, and nothing in them warns.
 */
final class RandomAnalytics {
  /** The tables; one is small enough to be empty at times. */
  static final List<String> TABLES = List.of("xa", "xb", "xc", "xd");

  private static final String COLUMNS =
      "id INT NOT NULL, g INT, h SMALLINT NOT NULL, n DECIMAL(8,2), w DECIMAL(20,4), f DOUBLE,"
          + " s VARCHAR(10), c CHAR(5) NOT NULL, d DATE, t DATETIME, PRIMARY KEY (id)";

  private static final List<String> CLAUSES =
      List.of(
          "PARTITION BY KEY(id) PARTITIONS 4",
          "PARTITION BY HASH(id) PARTITIONS 3",
          "PARTITION BY KEY(id) PARTITIONS 2",
          "BROADCAST");

  private static final List<Integer> ROWS = List.of(150, 60, 25, 6);

  /** All different under every collation, also without trailing blanks. */
  private static final List<String> STRINGS =
      List.of("''", "'a'", "'ab'", "'abc'", "'b'", "'c d'", "'m%'", "'x_1'", "'zz'");

  private static final List<String> COMPARISONS = List.of("=", "<>", "<", "<=", ">", ">=");

  private final SplittableRandom dice;

  RandomAnalytics(SplittableRandom dice) {
    this.dice = dice;
  }

  /** Tables and rows; clauses for Alrai alone stand in {@code /*alrai ..*}{@code /}. */
  List<String> setup() {
    List<String> statements = new ArrayList<>();
    for (int i = 0; i < TABLES.size(); i++) {
      String table = TABLES.get(i);
      statements.add(
          "CREATE TABLE " + table + " (" + COLUMNS + ") /*alrai " + CLAUSES.get(i) + " */");
      List<String> rows =
          IntStream.range(0, ROWS.get(i)).mapToObj(number -> row(1 + 2 * number)).toList();
      statements.add("INSERT INTO " + table + " VALUES " + String.join(", ", rows));
    }
    return statements;
  }

  /** A statement that changes some rows. */
  String write() {
    String table = any(TABLES);
    int id = dice.nextInt(120);
    return switch (dice.nextInt(3)) {
      case 0 -> "DELETE FROM " + table + " WHERE id = " + id;
      case 1 -> "UPDATE " + table + " SET n = n + 1, g = NULL WHERE id BETWEEN " + id + " AND 99";
      default -> "REPLACE INTO " + table + " VALUES " + row(id);
    };
  }

  private String row(int id) {
    return "("
        + String.join(
            ", ",
            Integer.toString(id),
            orNull(Integer.toString(dice.nextInt(12) - 2)),
            Integer.toString(dice.nextInt(100)),
            orNull(dice.nextInt(2000) - 1000 + "." + (10 + dice.nextInt(90))),
            orNull(dice.nextLong(1_000_000_000_000L) + ".12" + (10 + dice.nextInt(90))),
            orNull((dice.nextInt(64) - 32) / 4.0 + "e0"),
            orNull(any(STRINGS)),
            any(STRINGS),
            orNull("'2024-0" + (1 + dice.nextInt(9)) + "-1" + dice.nextInt(10) + "'"),
            orNull(
                "'2023-1"
                    + dice.nextInt(3)
                    + "-2"
                    + dice.nextInt(9)
                    + " 0"
                    + dice.nextInt(10)
                    + ":30:"
                    + (10 + dice.nextInt(50))
                    + "'"))
        + ")";
  }

  private String orNull(String value) {
    return dice.nextInt(7) == 0 ? "NULL" : value;
  }

  private <T> T any(List<T> list) {
    return list.get(dice.nextInt(list.size()));
  }

  private boolean chance(int percent) {
    return dice.nextInt(100) < percent;
  }

  /** The next SELECT. */
  RandomSelects.Select next() {
    return switch (dice.nextInt(10)) {
      case 0, 1 -> rows();
      case 2, 3 -> groups(any(TABLES) + " x", List.of("x."));
      case 4, 5 -> joinedRows();
      case 6, 7 -> joinedGroups();
      case 8 -> distinct();
      default -> derived();
    };
  }

  private RandomSelects.Select rows() {
    List<String> items = new ArrayList<>(List.of("x.id"));
    for (int i = dice.nextInt(4); i > 0; i--) {
      items.add(value(List.of("x.")) + " AS v" + i);
    }
    String sql =
        "SELECT " + String.join(", ", items) + " FROM " + any(TABLES) + " x" + where(List.of("x."));
    return chance(30)
        ? new RandomSelects.Select(sql, true)
        : new RandomSelects.Select(sql + " ORDER BY x.id" + limit(), false);
  }

  private RandomSelects.Select groups(String from, List<String> names) {
    List<String> items = new ArrayList<>();
    List<String> keys = new ArrayList<>();
    for (int i = dice.nextInt(3); i > 0; i--) {
      keys.add("k" + i);
      items.add(value(names) + " AS k" + i);
    }
    for (int i = 1 + dice.nextInt(3); i > 0; i--) {
      items.add(aggregate(names) + " AS v" + i);
    }
    String sql = "SELECT " + String.join(", ", items) + " FROM " + from + where(names);
    if (keys.isEmpty()) {
      return new RandomSelects.Select(sql, false);
    }
    sql += " GROUP BY " + String.join(", ", keys);
    if (chance(30)) {
      sql += " HAVING COUNT(*) " + any(COMPARISONS) + " " + dice.nextInt(4);
    }
    return chance(50)
        ? new RandomSelects.Select(sql, true)
        : new RandomSelects.Select(sql + " ORDER BY " + String.join(", ", keys) + limit(), false);
  }

  /** A join's FROM; tables are called x., y. and z. in it. */
  private String joined(List<String> names) {
    StringBuilder from = new StringBuilder(any(TABLES)).append(" x");
    for (int i = 1; i < names.size(); i++) {
      String name = names.get(i);
      String before = names.get(dice.nextInt(i));
      String equality =
          switch (dice.nextInt(5)) {
            case 0, 1 -> before + "id = " + name + "id";
            case 2 -> before + "g = " + name + "id";
            case 3 -> before + "h = " + name + "h AND " + before + "c = " + name + "c";
            default -> before + "s = " + name + "s AND " + before + "g = " + name + "g";
          };
      from.append(chance(60) ? " JOIN " : " LEFT JOIN ")
          .append(any(TABLES))
          .append(' ')
          .append(name, 0, 1)
          .append(" ON ")
          .append(equality);
      if (chance(25)) {
        from.append(" AND ").append(condition(List.of(before, name), 0));
      }
    }
    return from.toString();
  }

  private List<String> names() {
    return chance(65) ? List.of("x.", "y.") : List.of("x.", "y.", "z.");
  }

  private RandomSelects.Select joinedRows() {
    List<String> names = names();
    List<String> items = new ArrayList<>();
    names.forEach(name -> items.add(name + "id AS i" + name.charAt(0)));
    items.add(value(names) + " AS v");
    String sql = "SELECT " + String.join(", ", items) + " FROM " + joined(names) + where(names);
    return chance(40)
        ? new RandomSelects.Select(sql, true)
        : new RandomSelects.Select(
            sql
                + " ORDER BY "
                + String.join(", ", names.stream().map(name -> "i" + name.charAt(0)).toList())
                + limit(),
            false);
  }

  private RandomSelects.Select joinedGroups() {
    List<String> names = names();
    return groups(joined(names), names);
  }

  private RandomSelects.Select distinct() {
    List<String> x = List.of("x.");
    String sql =
        "SELECT DISTINCT "
            + value(x)
            + " AS p, "
            + value(x)
            + " AS q FROM "
            + any(TABLES)
            + " x"
            + where(x);
    return chance(50)
        ? new RandomSelects.Select(sql, true)
        : new RandomSelects.Select(sql + " ORDER BY p, q" + limit(), false);
  }

  private RandomSelects.Select derived() {
    String inner =
        "SELECT "
            + whole(List.of("x."), 1)
            + " AS k, COUNT(*) AS m, SUM(x.n) AS o, MAX(x.d) AS p FROM "
            + any(TABLES)
            + " x"
            + where(List.of("x."))
            + " GROUP BY k";
    return switch (dice.nextInt(3)) {
      case 0 ->
          new RandomSelects.Select(
              "SELECT m, COUNT(*), SUM(o), MIN(p) FROM (" + inner + ") q GROUP BY m", true);
      case 1 ->
          new RandomSelects.Select(
              "WITH q AS ("
                  + inner
                  + ") SELECT y.id, q.m, q.o FROM q JOIN "
                  + any(TABLES)
                  + " y ON y.g = q.k"
                  + where(List.of("y.")),
              true);
      default ->
          new RandomSelects.Select(
              "SELECT y.id, q.m, q.p FROM "
                  + any(TABLES)
                  + " y LEFT JOIN ("
                  + inner
                  + ") q ON y.h = q.k"
                  + where(List.of("y.")),
              true);
    };
  }

  private String limit() {
    return chance(35)
        ? " LIMIT " + dice.nextInt(12) + (chance(30) ? " OFFSET " + dice.nextInt(5) : "")
        : "";
  }

  private String where(List<String> names) {
    if (chance(20)) {
      return "";
    }
    String first = condition(names, 2);
    return " WHERE " + (chance(35) ? "(" + first + ") AND " + subquery(names) : first);
  }

  /** A condition with a subquery; such stand beside others, after AND. */
  private String subquery(List<String> names) {
    String p = any(names);
    String table = any(TABLES);
    String inside = condition(List.of("o."), 1);
    String from = " FROM " + table + " o WHERE " + inside;
    return switch (dice.nextInt(7)) {
      case 0 -> "EXISTS (SELECT *" + from + " AND o.id = " + p + "g)";
      case 1 -> "NOT EXISTS (SELECT 1" + from + " AND o.g = " + p + "g)";
      case 2 -> p + "g IN (SELECT o.g" + from + ")";
      case 3 -> p + "id NOT IN (SELECT o.id" + from + ")";
      case 4 -> p + "h NOT IN (SELECT o.g" + from + ")";
      case 5 -> p + "n " + any(COMPARISONS) + " (SELECT AVG(o.n)" + from + ")";
      default ->
          p
              + "h > (SELECT "
              + any(List.of("MIN(o.h)", "COUNT(*)"))
              + from
              + " AND o.g = "
              + p
              + "g)";
    };
  }

  private String condition(List<String> names, int depth) {
    if (depth > 0 && chance(45)) {
      String left = condition(names, depth - 1);
      String right = condition(names, depth - 1);
      return switch (dice.nextInt(6)) {
        case 0, 1 -> "(" + left + " OR " + right + ")";
        case 2 -> "NOT (" + left + ")";
        case 3 -> "(" + left + " XOR " + right + ")";
        default -> "(" + left + " AND " + right + ")";
      };
    }
    String p = any(names);
    String q = any(names);
    int number = dice.nextInt(40);
    return switch (dice.nextInt(14)) {
      case 0 -> p + "id " + any(COMPARISONS) + " " + 3 * number;
      case 1 -> p + "g " + any(List.of("=", "<>", "<=>", ">")) + " " + (number % 12 - 2);
      case 2 -> p + "id IN (" + number + ", " + (number + 2) + ", " + (number + 5) + ", NULL)";
      case 3 -> p + "h BETWEEN " + number + " AND " + (number + dice.nextInt(50));
      case 4 ->
          p + any(List.of("s", "d", "n", "g", "t")) + any(List.of(" IS NULL", " IS NOT NULL"));
      case 5 -> p + any(List.of("s ", "c ")) + any(COMPARISONS) + " " + any(STRINGS);
      case 6 ->
          p
              + "s "
              + any(List.of("LIKE", "NOT LIKE"))
              + any(List.of(" '%b%'", " 'a%'", " '_'", " 'c\\_%'"));
      case 7 -> p + "n " + any(COMPARISONS) + " " + (number * 20 - 400) + ".5";
      case 8 -> p + "d " + any(COMPARISONS) + " '2024-0" + (1 + number % 9) + "-15'";
      case 9 -> p + "t < '2023-11-2" + number % 9 + " 05:00:00'";
      case 10 -> whole(names, 1) + " " + any(COMPARISONS) + " " + whole(names, 1);
      case 11 -> decimal(names) + " " + any(COMPARISONS) + " " + decimal(names);
      case 12 -> p + "d < " + q + "t";
      default -> p + any(List.of("g = ", "h <> ", "id > ")) + q + any(List.of("h", "id"));
    };
  }

  /** Any value but a floating point number, which can be a group's key all the same. */
  private String value(List<String> names) {
    return switch (dice.nextInt(9)) {
      case 0, 1, 2 -> whole(names, 2);
      case 3, 4 -> decimal(names);
      case 5, 6 -> text(names);
      case 7 -> any(names) + "f";
      default -> day(names);
    };
  }

  private String whole(List<String> names, int depth) {
    String p = any(names);
    if (depth == 0 || chance(35)) {
      return p + any(List.of("id", "g", "h"));
    }
    String one = whole(names, depth - 1);
    int number = 1 + dice.nextInt(9);
    return switch (dice.nextInt(13)) {
      case 0 -> one + " + " + number;
      case 1 -> "(" + one + " - " + whole(names, depth - 1) + ")";
      case 2 -> "(" + one + ") * " + number;
      case 3 -> "(" + one + ") % " + number;
      case 4 -> "(" + one + ") DIV " + number;
      case 5 -> "ABS(" + one + ")";
      case 6 -> "COALESCE(" + one + ", -1)";
      case 7 -> "CASE WHEN " + condition(names, 1) + " THEN " + one + " ELSE " + number + " END";
      case 8 -> "NULLIF(" + one + ", " + number + ")";
      case 9 -> any(List.of("MONTH(", "DAY(", "QUARTER(")) + p + any(List.of("d)", "t)"));
      case 10 -> "DATEDIFF(" + p + "d, '2024-03-01')";
      case 11 -> "CAST(" + p + "n AS SIGNED)";
      default -> "FLOOR(" + p + "n)";
    };
  }

  private String decimal(List<String> names) {
    String p = any(names);
    int number = 1 + dice.nextInt(9);
    return switch (dice.nextInt(10)) {
      case 0 -> p + "n + " + any(names) + "w";
      case 1 -> p + "n * " + number + ".5";
      case 2 -> p + "n / " + number;
      case 3 -> "-" + p + "w";
      case 4 -> "(" + p + "n - " + any(names) + "g) * " + p + "h";
      case 5 -> p + "w % 1000";
      case 6 -> "IF(" + condition(names, 1) + ", " + p + "n, 0.25)";
      case 7 -> p + "n * (1 - " + any(names) + "h / 100)";
      default -> p + any(List.of("n", "w"));
    };
  }

  private String text(List<String> names) {
    String p = any(names);
    return switch (dice.nextInt(6)) {
      case 0 ->
          "SUBSTRING(" + p + "s, " + (1 + dice.nextInt(2)) + ", " + (1 + dice.nextInt(2)) + ")";
      case 1 -> "COALESCE(" + p + "s, 'none')";
      case 2 -> "IF(" + condition(names, 1) + ", " + p + "s, 'no')";
      case 3 -> p + "c";
      default -> p + "s";
    };
  }

  private String day(List<String> names) {
    String p = any(names);
    int number = dice.nextInt(40);
    return switch (dice.nextInt(5)) {
      case 0 -> p + "d + INTERVAL " + number + any(List.of(" DAY", " MONTH", " YEAR"));
      case 1 -> p + "t - INTERVAL " + number + any(List.of(" HOUR", " DAY", " MINUTE"));
      case 2 -> p + "t";
      default -> p + "d";
    };
  }

  private String aggregate(List<String> names) {
    return switch (dice.nextInt(10)) {
      case 0 -> "COUNT(*)";
      case 1 -> "COUNT(" + value(names) + ")";
      case 2, 3 -> "SUM(" + (chance(50) ? whole(names, 1) : decimal(names)) + ")";
      case 4 -> "AVG(" + (chance(50) ? whole(names, 1) : any(names) + "n") + ")";
      case 5 -> "MIN(" + value(names) + ")";
      case 6 -> "MAX(" + value(names) + ")";
      case 7 -> "COUNT(DISTINCT " + any(names) + any(List.of("g", "s", "n", "d")) + ")";
      case 8 -> "SUM(" + any(names) + "f)";
      default -> "SUM(CASE WHEN " + condition(names, 1) + " THEN 1 ELSE 0 END)";
    };
  }
}
