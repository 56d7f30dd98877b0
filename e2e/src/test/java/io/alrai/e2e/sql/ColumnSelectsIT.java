package io.alrai.e2e.sql;

import static org.junit.jupiter.api.Assertions.assertTrue;

import io.alrai.e2e.ColumnIndexed;
import io.alrai.e2e.Servers;
import io.alrai.testing.MiniCluster;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/**
 * Random SELECTs over tables with column indexes give the same answers as on a plain mysqld:
 * columns, rows, errors and warnings, also of what the same session has just written. The rounds
 * have the seeds 1, 2 and 3; {@code -Drandom.seed=n} begins with another one, {@code
 * -Drandom.rounds=n} sets how many there are.
 */
@ExtendWith(Servers.Shared.class)
class ColumnSelectsIT {
  private static final int SELECTS_OF_A_ROUND = 150;
  private static final int MOST_DIFFERENCES = 12;
  private static final List<String> TABLES = List.of("ta", "tb", "tc", "td");

  @Test
  void answersAreEqual(Servers servers) throws SQLException {
    long answered = ColumnIndexed.answered(servers.cluster().port());
    int selects = SELECTS_OF_A_ROUND * RandomRounds.run(seed -> round(servers, seed));
    long byColumns = ColumnIndexed.answered(servers.cluster().port()) - answered;
    System.out.println(
        "random SELECTs compared: " + selects + ", " + byColumns + " of them by column indexes");
    assertTrue(byColumns > selects / 10, byColumns + " of " + selects);
  }

  private static List<String> round(Servers servers, long seed) throws SQLException {
    SplittableRandom dice = new SplittableRandom(seed);
    RandomSelects random = new RandomSelects(dice);
    List<String> differences = new ArrayList<>();
    Servers.freshSchema(servers.plain().port(), "random");
    Servers.freshSchema(servers.cluster().port(), "random");
    try (Connection plain = MiniCluster.connect(servers.plain().port(), "random", "");
        Connection alrai = MiniCluster.connect(servers.cluster().port(), "random", "")) {
      for (String sql : random.setup()) {
        RandomRounds.compare(plain, alrai, new RandomSelects.Select(sql, false), differences);
      }
      for (String table : TABLES) {
        ColumnIndexed.create(alrai, table, "id");
      }
      try (Statement statement = alrai.createStatement()) {
        statement.execute("SET workload_type = 'AP'");
      }
      for (int i = 0; i < SELECTS_OF_A_ROUND && differences.size() < MOST_DIFFERENCES; i++) {
        if (i % 5 == 0) {
          RandomRounds.compare(
              plain, alrai, new RandomSelects.Select(write(dice), false), differences);
        }
        RandomRounds.compare(plain, alrai, withoutYears(random.next()), differences);
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
