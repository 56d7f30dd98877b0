package io.alrai.e2e.sql;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.alrai.e2e.Servers;
import io.alrai.testing.MiniCluster;
import io.alrai.testing.SqlScript;
import io.alrai.testing.StatementAnswer;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/**
 * Random SELECTs over random rows give the same answers as on a plain mysqld: columns, rows, errors
 * and warnings. The rounds have the seeds 1, 2 and 3; {@code -Drandom.seed=n} begins with another
 * one, {@code -Drandom.rounds=n} sets how many there are.
 */
@ExtendWith(Servers.Shared.class)
class RandomSelectsIT {
  private static final int SELECTS_OF_A_ROUND = 150;
  private static final int MOST_DIFFERENCES = 12;

  @Test
  void answersAreEqual(Servers servers) throws SQLException {
    long first = Long.getLong("random.seed", 1);
    long end = first + Long.getLong("random.rounds", 3);
    int selects = 0;
    for (long seed = first; seed < end; seed++) {
      List<String> differences = round(servers, new RandomSelects(new SplittableRandom(seed)));
      long failed = seed;
      assertEquals(
          List.of(),
          differences,
          () -> "-Drandom.seed=" + failed + "\n" + String.join("\n", differences));
      selects += SELECTS_OF_A_ROUND;
    }
    System.out.println("random SELECTs compared from seed " + first + ": " + selects);
  }

  private static List<String> round(Servers servers, RandomSelects random) throws SQLException {
    List<String> differences = new ArrayList<>();
    Servers.freshSchema(servers.plain().port(), "random");
    Servers.freshSchema(servers.cluster().port(), "random");
    try (Connection plain = MiniCluster.connect(servers.plain().port(), "random", "");
        Connection alrai = MiniCluster.connect(servers.cluster().port(), "random", "")) {
      for (String sql : random.setup()) {
        compare(plain, alrai, new RandomSelects.Select(sql, false), differences);
      }
      for (int i = 0; i < SELECTS_OF_A_ROUND && differences.size() < MOST_DIFFERENCES; i++) {
        compare(plain, alrai, random.next(), differences);
      }
    }
    return differences;
  }

  private static void compare(
      Connection plain, Connection alrai, RandomSelects.Select select, List<String> differences) {
    SqlScript.Statement statement =
        new SqlScript.Statement(1, select.sql(), select.anyOrder(), List.of());
    StatementAnswer expected = StatementAnswer.of(plain, statement.plain(), statement, false);
    StatementAnswer actual = StatementAnswer.of(alrai, statement.alrai(), statement, false);
    if (!expected.equals(actual)) {
      differences.add(select.sql() + expected.difference(actual));
    }
  }
}
