package io.alrai.e2e.sql;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.StringJoiner;
import java.util.random.RandomGenerator;

/**
 * Random tables and scripts of writes and transactions whose outcome MySQL defines: what LIMIT cuts
 * off has a total order, values that are too long or too large come as often as good ones. One
 * session writes; another one writes a table that the first one only reads, so that neither waits.
 * Without a strict sql_mode no row has NULL for a column that is NOT NULL
 * (docs/reference/differences.md).
 */
final class RandomWrites {
  /** The table that the other session writes. */
  static final String OF_THE_OTHER = "tf";

  private static final String COLUMNS =
      "id INT NOT NULL, g INT NOT NULL DEFAULT 3, n DECIMAL(6,2), s VARCHAR(6) NOT NULL DEFAULT 'q',"
          + " d DATE, u TINYINT UNSIGNED NOT NULL DEFAULT 7";

  /** What follows their columns, and where their rows are in Alrai. */
  private static final Map<String, String> TABLES =
      Map.of(
          "ta",
          "v INT AS (g + 1) STORED, PRIMARY KEY (id), CONSTRAINT ta_g CHECK (g < 60))"
              + " /*alrai PARTITION BY KEY(id) PARTITIONS 5 */",
          "tb",
          "v INT, PRIMARY KEY (g, id), UNIQUE KEY (g, s))"
              + " /*alrai PARTITION BY HASH(g) PARTITIONS 3 */",
          "tc",
          "v INT, PRIMARY KEY (id), UNIQUE KEY (s)) /*alrai SINGLE */",
          "td",
          "v INT, PRIMARY KEY (id), UNIQUE KEY (g, s)) /*alrai BROADCAST */",
          "te",
          "v INT AS (LENGTH(s)), PRIMARY KEY (s)) /*alrai PARTITION BY KEY(s) PARTITIONS 4 */",
          OF_THE_OTHER,
          "v INT, PRIMARY KEY (id)) /*alrai PARTITION BY KEY(id) PARTITIONS 6 */");

  private static final List<String> WRITTEN = List.of("ta", "tb", "tc", "td", "te");
  private static final List<String> STRINGS =
      List.of("''", "'a'", "'A'", "'b'", "'ab'", "'é'", "'E'", "'zz'", "'c d'", "'Ü'", "'x%'");

  private final RandomGenerator random;
  private final boolean strict;
  private int savepoints;

  /**
   * A statement.
   *
   * @param other whether the other session sends it
   * @param loose whether it has several rows, of which another one may be the first that is wrong
   */
  record Write(String sql, boolean other, boolean loose) {}

  RandomWrites(RandomGenerator random, boolean strict) {
    this.random = random;
    this.strict = strict;
  }

  /** The names of all tables. */
  static List<String> tables() {
    return TABLES.keySet().stream().sorted().toList();
  }

  /** All rows of a table, in the order of its key. */
  static String all(String table) {
    String key = table.equals("tb") ? "g, id" : table.equals("te") ? "s" : "id";
    return "SELECT * FROM " + table + " ORDER BY " + key;
  }

  /** Tables and rows. */
  List<String> setup() {
    List<String> statements = new ArrayList<>();
    for (String table : tables()) {
      statements.add("CREATE TABLE " + table + " (" + COLUMNS + ", " + TABLES.get(table));
      statements.add("INSERT IGNORE INTO " + table + " (id, g, n, s, d, u) VALUES " + goodRows(12));
    }
    return statements;
  }

  private String goodRows(int most) {
    StringJoiner rows = new StringJoiner(", ");
    for (int count = 1 + random.nextInt(most); count > 0; count--) {
      rows.add(
          "("
              + String.join(
                  ", ",
                  number(30),
                  number(8),
                  number(90) + "." + number(9),
                  any(STRINGS),
                  "'2024-02-1" + number(10) + "'",
                  number(200))
              + ")");
    }
    return rows.toString();
  }

  /** The next statement. */
  Write next() {
    return switch (random.nextInt(20)) {
      case 0, 1, 2 -> mine(insert(), true);
      case 3 -> mine(insertOne(), false);
      case 4, 5 -> mine(onDuplicate(), true);
      case 6 -> mine("REPLACE INTO " + rowsOf(any(WRITTEN), 3), true);
      case 7 -> mine(insertSelect(), true);
      case 8, 9, 10 -> mine(update(), true);
      case 11 -> mine(updateOfKey(), true);
      case 12 -> mine(updateOfSeveral(), true);
      case 13 -> mine(delete(), true);
      case 14 -> mine(deleteOfSeveral(), true);
      case 15, 16 -> mine(transaction(), false);
      case 17 -> new Write(ofTheOther(), true, true);
      default -> select();
    };
  }

  private static Write mine(String sql, boolean loose) {
    boolean oneError =
        sql.contains(" VALUES (") && !sql.contains("), (") && !sql.contains(" IGNORE ");
    return new Write(sql, false, loose && !oneError);
  }

  private String insert() {
    return "INSERT " + (chance(30) ? "IGNORE " : "") + "INTO " + rowsOf(any(WRITTEN), 4);
  }

  private String insertOne() {
    return "INSERT INTO "
        + any(WRITTEN)
        + " SET id = "
        + number(60)
        + ", s = "
        + any(STRINGS)
        + (chance(70) ? ", g = " + anyNumber() : "")
        + (chance(30) ? ", u = DEFAULT" : "");
  }

  private String rowsOf(String table, int most) {
    StringJoiner rows = new StringJoiner(", ");
    for (int count = 1 + random.nextInt(most); count > 0; count--) {
      rows.add(
          "("
              + String.join(
                  ", ", number(60), anyNumber(), anyDecimal(), anyString(), anyDay(), anyNumber())
              + ")");
    }
    return table + " (id, g, n, s, d, u) VALUES " + rows;
  }

  private String onDuplicate() {
    String table = any(WRITTEN);
    String alias = chance(40) ? " AS w" : "";
    String fresh = alias.isEmpty() ? "VALUES(n)" : "w.n";
    String old = alias.isEmpty() ? "" : table + ".";
    List<String> changes =
        List.of(
            "n = " + fresh,
            "n = COALESCE(" + old + "n, 0) + 1",
            "u = " + old + "u + 1",
            "d = '2024-03-03', n = NULL",
            "u = IF(" + old + "u > 100, 5, " + old + "u)",
            "id = " + old + "id, n = " + fresh);
    return "INSERT INTO " + rowsOf(table, 4) + alias + " ON DUPLICATE KEY UPDATE " + any(changes);
  }

  private String insertSelect() {
    String from = any(WRITTEN);
    String verb = any(List.of("INSERT INTO ", "INSERT IGNORE INTO ", "REPLACE INTO "));
    return verb
        + any(WRITTEN)
        + " (id, g, n, s, d, u) SELECT id + "
        + number(40)
        + ", g, n, s, d, u FROM "
        + from
        + where("")
        + " ORDER BY id, g, s LIMIT "
        + number(6);
  }

  private String update() {
    String table = any(WRITTEN);
    String set =
        any(
            List.of(
                "n = n + 1.25",
                "u = u + 40",
                "d = d + INTERVAL 1 MONTH",
                "n = NULL",
                "u = 9",
                "n = u * 3, u = 1",
                "d = " + anyDay(),
                "n = " + anyDecimal(),
                "u = " + anyNumber(),
                "n = (SELECT MAX(id) FROM " + other(table) + " x WHERE x.id < 20)"));
    String sql = "UPDATE " + (chance(20) ? "IGNORE " : "") + table + " SET " + set + where("");
    return chance(25) ? sql + order() : sql;
  }

  /** Rows go to other places. */
  private String updateOfKey() {
    return switch (random.nextInt(5)) {
      case 0 -> "UPDATE ta SET id = id + " + number(80) + " WHERE id = " + number(60);
      case 1 -> "UPDATE ta SET id = id + 100, n = 4 WHERE id < " + number(60);
      case 2 -> "UPDATE tb SET g = g + 1 WHERE g = " + number(8) + " AND id = " + number(40);
      case 3 -> "UPDATE te SET s = CONCAT(s, 'y') WHERE s = " + any(STRINGS);
      default -> "UPDATE " + any(List.of("tc", "td")) + " SET id = id + 70 WHERE g = " + number(8);
    };
  }

  private String updateOfSeveral() {
    String left = any(WRITTEN);
    String right = any(WRITTEN);
    String on = chance(60) ? "x.id = y.id" : "x.g = y.g AND x.id = y.id + 1";
    String set = any(List.of("x.n = 1.5", "x.u = 3, y.n = 7", "y.d = '2024-04-04'", "x.n = y.u"));
    return left.equals(right)
        ? "UPDATE " + left + " SET n = 2 WHERE id IN (SELECT id + 1 FROM " + other(left) + ")"
        : "UPDATE " + left + " x JOIN " + right + " y ON " + on + " SET " + set + where("x.");
  }

  private String delete() {
    String table = any(WRITTEN);
    String sql = "DELETE FROM " + table + " WHERE " + condition("");
    return chance(30) ? sql + order() : sql;
  }

  private String deleteOfSeveral() {
    String left = any(WRITTEN);
    String right = any(WRITTEN);
    if (left.equals(right)) {
      return "DELETE FROM "
          + left
          + " WHERE id IN (SELECT id + 5 FROM "
          + other(left)
          + " WHERE g > 4)";
    }
    return "DELETE "
        + any(List.of("x", "y", "x, y"))
        + " FROM "
        + left
        + " x JOIN "
        + right
        + " y ON x.id = y.id WHERE "
        + condition("x.");
  }

  private String transaction() {
    return switch (random.nextInt(12)) {
      case 0, 1, 2 -> "START TRANSACTION" + (chance(20) ? " WITH CONSISTENT SNAPSHOT" : "");
      case 3, 4 -> "COMMIT";
      case 5 -> "ROLLBACK";
      case 6, 7 -> "SAVEPOINT p" + ++savepoints % 3;
      case 8, 9 -> "ROLLBACK TO SAVEPOINT p" + number(3);
      case 10 -> "RELEASE SAVEPOINT p" + number(3);
      default -> "SET autocommit = " + number(2);
    };
  }

  private String ofTheOther() {
    String where = " WHERE " + condition("");
    return switch (random.nextInt(4)) {
      case 0 -> "UPDATE tf SET n = n + 1" + where;
      case 1 -> "DELETE FROM tf" + where;
      default -> "REPLACE INTO " + rowsOf(OF_THE_OTHER, 3);
    };
  }

  private Write select() {
    String table = chance(40) ? OF_THE_OTHER : any(WRITTEN);
    String sql =
        switch (random.nextInt(4)) {
          case 0 -> "SELECT COUNT(*), SUM(n), MIN(id), MAX(v) FROM " + table + where("");
          case 1 -> "SELECT g, COUNT(*), SUM(u) FROM " + table + " GROUP BY g ORDER BY g";
          default -> all(table);
        };
    boolean other = chance(30);
    boolean locks = !other && !table.equals(OF_THE_OTHER) && chance(20);
    return new Write(locks ? sql + " FOR UPDATE" : sql, other, false);
  }

  private String other(String table) {
    return any(WRITTEN.stream().filter(name -> !name.equals(table)).toList());
  }

  private String where(String prefix) {
    return chance(15) ? "" : " WHERE " + condition(prefix);
  }

  private String condition(String p) {
    return switch (random.nextInt(8)) {
      case 0, 1 -> p + "id = " + number(60);
      case 2 -> p + "id IN (" + number(30) + ", " + number(30) + ", " + number(60) + ")";
      case 3 -> p + "id BETWEEN " + number(30) + " AND " + number(60);
      case 4 -> p + "g = " + number(8) + (chance(50) ? " AND " + p + "u < 90" : "");
      case 5 -> p + "s = " + any(STRINGS);
      case 6 -> p + "n IS NULL OR " + p + "n > " + number(90);
      default -> p + "d < '2024-02-1" + number(10) + "' AND " + p + "id % 3 = " + number(3);
    };
  }

  private String order() {
    return " ORDER BY id" + (chance(50) ? " DESC" : "") + ", g, s LIMIT " + number(5);
  }

  private String anyNumber() {
    return chance(12) ? any(List.of(nullIfStrict("8"), "300", "-2", "'7x'", "'no'")) : number(8);
  }

  private String anyDecimal() {
    return chance(15) ? any(List.of("NULL", "99999.5", "1.005", "'2.5y'")) : number(90) + ".5";
  }

  private String anyString() {
    return chance(10)
        ? any(List.of(nullIfStrict("''"), "'too long for it'", "12.50"))
        : any(STRINGS);
  }

  private String anyDay() {
    return chance(12)
        ? any(List.of("NULL", "'2024-02-31'", "'soon'", "20240215"))
        : "'2024-02-1" + number(10) + "'";
  }

  /** NULL for a column that is NOT NULL; another value without a strict sql_mode. */
  private String nullIfStrict(String otherwise) {
    return strict ? "NULL" : otherwise;
  }

  private String number(int below) {
    return Integer.toString(random.nextInt(below));
  }

  private <T> T any(List<T> list) {
    return list.get(random.nextInt(list.size()));
  }

  private boolean chance(int percent) {
    return random.nextInt(100) < percent;
  }
}
