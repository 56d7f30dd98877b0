package io.alrai.e2e.sql;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.alrai.e2e.ColumnIndexed;
import io.alrai.e2e.Servers;
import io.alrai.testing.DatabaseNames;
import io.alrai.testing.HostileNames;
import io.alrai.testing.MiniCluster;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.function.Supplier;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/**
 * Random SELECTs over tables with column indexes give the same answers as on a plain mysqld:
 * columns, rows, errors and warnings, also of what the same session has just written. In some
 * rounds a part of the tables has no index. {@link RandomRounds} says with which seeds, {@code
 * -Drandom.selects=n} how many analytical SELECTs there are in a round.
 */
@ExtendWith(Servers.Shared.class)
class ColumnSelectsIT {
  private static final int SELECTS_OF_A_ROUND = 150;
  private static final int ROUNDS = 2;
  private static final int ANALYTICAL_SELECTS = 1_000;
  private static final int SELECTS_TO_A_WRITE = 5;
  private static final int MOST_DIFFERENCES = 12;
  private static final List<String> TABLES = List.of("ta", "tb", "tc", "td");

  /**
   * What a round consists of.
   *
   * @param indexed the tables that get an index
   * @param whole whether answers are compared with their columns and warnings
   */
  private record Round(
      List<String> setup,
      List<String> indexed,
      int selects,
      boolean whole,
      Supplier<RandomSelects.Select> select,
      Supplier<String> write) {}

  /** SELECTs of all kinds. */
  @Test
  void answersAreEqual(Servers servers) throws SQLException {
    long answered = ColumnIndexed.answered(servers.cluster().port());
    int selects =
        SELECTS_OF_A_ROUND
            * RandomRounds.run(ROUNDS, (seed, fresh) -> compared(servers, all(seed, !fresh)));
    long byColumns = ColumnIndexed.answered(servers.cluster().port()) - answered;
    System.out.println(
        "random SELECTs compared: " + selects + ", " + byColumns + " of them by column indexes");
    assertTrue(byColumns > selects / 10, byColumns + " of " + selects);
  }

  /**
   * SELECTs of the kinds that column indexes answer: a round with a fixed seed, one with a fresh
   * one. Rows and errors only: what types and warnings MySQL gives to dates and their parts depends
   * on its plan.
   */
  @Test
  void analyticalAnswersAreEqual(Servers servers) throws SQLException {
    int selects = Integer.getInteger("random.selects", ANALYTICAL_SELECTS);
    long answered = ColumnIndexed.answered(servers.cluster().port());
    int rounds = RandomRounds.run(1, (seed, _) -> compared(servers, analytical(seed, selects)));
    long byColumns = ColumnIndexed.answered(servers.cluster().port()) - answered;
    int all = selects * rounds;
    System.out.println(
        "analytical SELECTs compared: " + all + ", " + byColumns + " of them by column indexes");
    assertTrue(byColumns > all / 2, byColumns + " of " + all);
  }

  /** Strings of some rows are of a dictionary, those of others are not. */
  @Test
  void nullsAreOneGroup(Servers servers) throws SQLException {
    int port = servers.cluster().port();
    Servers.freshSchema(port, "nulls");
    try (Connection connection = MiniCluster.connect(port, "nulls", "");
        Statement statement = connection.createStatement()) {
      statement.execute(
          "CREATE TABLE n (id INT PRIMARY KEY, s VARCHAR(10), b INT)"
              + " /*alrai PARTITION BY KEY(id) PARTITIONS 8 */");
      StringBuilder rows = new StringBuilder("INSERT INTO n VALUES (0, NULL, 0)");
      for (int id = 1; id < 40; id++) {
        String text = id % 3 == 0 ? "NULL" : "'v" + id * 7 % 11 + "'";
        rows.append(", (").append(id).append(", ").append(text).append(", 1)");
      }
      statement.execute(rows.toString());
      ColumnIndexed.create(connection, "n", "id");
      // rows that came later have no dictionary
      statement.execute("INSERT INTO n VALUES (100, NULL, 1), (101, 'v1', 1), (102, NULL, 1)");
      statement.execute("SET workload_type = 'AP'");
      long answered = ColumnIndexed.answered(port);
      List<String> groups = new ArrayList<>();
      try (ResultSet result =
          statement.executeQuery("SELECT s, COUNT(*) FROM n GROUP BY s ORDER BY s")) {
        while (result.next()) {
          groups.add(result.getString(1) + " " + result.getInt(2));
        }
      }
      assertEquals(1, ColumnIndexed.answered(port) - answered);
      assertEquals(12, groups.size(), groups.toString());
      assertEquals("null 16", groups.getFirst());
    }
  }

  /** The planner of column indexes sees a view's query. */
  @Test
  void viewsAreReadFromTheIndexesOfTheirTables(Servers servers) throws SQLException {
    int port = servers.cluster().port();
    Servers.freshSchema(port, "viewed");
    try (Connection connection = MiniCluster.connect(port, "viewed", "");
        Statement statement = connection.createStatement()) {
      statement.execute("CREATE TABLE n (id INT PRIMARY KEY, s VARCHAR(10), b INT)");
      statement.execute("INSERT INTO n VALUES (1, 'x', 1), (2, 'x', 2), (3, 'y', 3), (4, 'y', 40)");
      statement.execute("CREATE VIEW v AS SELECT s, b + 1 AS c FROM n WHERE b < 5 AND s <> 'zz'");
      statement.execute("CREATE VIEW w (name, total) AS SELECT s, SUM(c) FROM v GROUP BY s");
      ColumnIndexed.create(connection, "n", "id");
      statement.execute("SET workload_type = 'AP'");
      long answered = ColumnIndexed.answered(port);
      List<String> rows = new ArrayList<>();
      try (ResultSet result =
          statement.executeQuery("SELECT name, total FROM w WHERE total > 1 ORDER BY name")) {
        while (result.next()) {
          rows.add(result.getString(1) + " " + result.getInt(2));
        }
      }
      assertEquals(List.of("x 5", "y 4"), rows);
      StringBuilder reasons = new StringBuilder();
      try (ResultSet result =
          statement.executeQuery("EXPLAIN COST SELECT name, total FROM w WHERE total > 1")) {
        while (result.next()) {
          reasons.append(result.getString(1)).append('\n');
        }
      }
      assertEquals(1, ColumnIndexed.answered(port) - answered, reasons.toString());
    }
  }

  private static Round all(long seed, boolean whole) {
    SplittableRandom dice = new SplittableRandom(seed);
    RandomSelects random = new RandomSelects(dice);
    return new Round(
        random.setup(),
        seed % 2 != 0 ? TABLES : List.of("ta", "tc"),
        SELECTS_OF_A_ROUND,
        whole,
        () -> withoutYears(random.next()),
        () -> write(dice));
  }

  private static Round analytical(long seed, int selects) {
    SplittableRandom dice = new SplittableRandom(seed);
    RandomAnalytics random = new RandomAnalytics(dice);
    int first = seed == 1 ? 0 : dice.nextInt(RandomAnalytics.TABLES.size() - 1);
    return new Round(
        random.setup(),
        RandomAnalytics.TABLES.subList(first, RandomAnalytics.TABLES.size()),
        selects,
        false,
        random::next,
        random::write);
  }

  private static List<String> compared(Servers servers, Round round) throws SQLException {
    List<String> differences = new ArrayList<>();
    String schema = DatabaseNames.of(round.setup().toString());
    HostileNames names = RandomRounds.names(round.setup(), round.setup().toString().hashCode());
    Servers.freshSchema(servers.plain().port(), schema);
    Servers.freshSchema(servers.cluster().port(), schema);
    try (ComparedSessions sessions =
        ComparedSessions.open(servers, schema, "", differences).with(names)) {
      for (String sql : round.setup()) {
        sessions.same(sql);
      }
      for (String table : round.indexed()) {
        ColumnIndexed.create(sessions.alrai(), names.in(table), names.in("id"));
      }
      try (Statement statement = sessions.alrai().createStatement()) {
        statement.execute("SET workload_type = 'AP'");
      }
      for (int i = 0; i < round.selects() && differences.size() < MOST_DIFFERENCES; i++) {
        if (i % SELECTS_TO_A_WRITE == 0) {
          String write = round.write().get();
          sessions.same(write);
        }
        RandomSelects.Select select = round.select().get();
        if (round.whole()) {
          sessions.same(select);
        } else {
          sessions.sameRows(select);
        }
      }
    }
    return differences;
  }

  /** YEAR() is a YEAR or an INT, as the mysqld's plan has a temporary table or not. */
  private static RandomSelects.Select withoutYears(RandomSelects.Select select) {
    return new RandomSelects.Select(select.sql().replace("YEAR(d)", "g + 2"), select.anyOrder());
  }

  private static String write(SplittableRandom dice) {
    String table = TABLES.get(dice.nextInt(TABLES.size()));
    int id = dice.nextInt(60);
    return switch (dice.nextInt(3)) {
      case 0 -> "DELETE FROM " + table + " WHERE id = " + id;
      case 1 -> "UPDATE " + table + " SET n = n + 1, g = NULL WHERE id BETWEEN " + id + " AND 60";
      default ->
          "REPLACE INTO " + table + " (id, g, n, s) VALUES (" + id + ", " + id % 6 + ", 1.50, 'a')";
    };
  }
}
