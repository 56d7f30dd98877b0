package io.alrai.e2e.sql;

import io.alrai.e2e.Servers;
import io.alrai.testing.DatabaseNames;
import io.alrai.testing.HostileNames;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/**
 * Random writes and transactions have the same outcome as on a plain mysqld: counts, errors,
 * warnings, what both sessions read meanwhile, and all rows of all tables at the end of each
 * script. {@link RandomRounds} says with which seeds.
 */
@ExtendWith(Servers.Shared.class)
class RandomWritesIT {
  private static final int ROUNDS = 2;
  private static final int STATEMENTS_OF_A_ROUND = 250;
  private static final int MOST_DIFFERENCES = 12;

  @Test
  void outcomesAreEqual(Servers servers) throws SQLException {
    int rounds = RandomRounds.run(ROUNDS, (seed, _) -> round(servers, seed));
    System.out.println("random writes compared: " + rounds * STATEMENTS_OF_A_ROUND);
  }

  private static List<String> round(Servers servers, long seed) throws SQLException {
    SplittableRandom dice = new SplittableRandom(seed);
    boolean strict = dice.nextInt(3) > 0;
    RandomWrites random = new RandomWrites(dice, strict);
    String properties = "&useAffectedRows=" + dice.nextBoolean();
    String mode = strict ? "STRICT_TRANS_TABLES,NO_ZERO_IN_DATE" : "";
    String schema = DatabaseNames.of(seed);
    Servers.freshSchema(servers.plain().port(), schema);
    Servers.freshSchema(servers.cluster().port(), schema);
    List<String> differences = new ArrayList<>();
    List<String> setup = random.setup();
    HostileNames names = RandomRounds.names(setup, seed);
    try (ComparedSessions one = open(servers, schema, properties, differences).with(names);
        ComparedSessions other = open(servers, schema, properties, differences).with(names)) {
      one.same("SET sql_mode = '" + mode + "'");
      other.same("SET sql_mode = '" + mode + "'");
      for (String sql : setup) {
        one.sameButForTheRow(sql);
      }
      for (int i = 0; i < STATEMENTS_OF_A_ROUND && differences.size() < MOST_DIFFERENCES; i++) {
        RandomWrites.Write write = random.next();
        ComparedSessions sessions = write.other() ? other : one;
        if (write.loose()) {
          sessions.sameButForTheRow(write.sql());
        } else {
          sessions.same(write.sql());
        }
        if (lostItsSnapshot(differences)) {
          System.out.println("a transaction was to be tried again: the round ends");
          return List.of();
        }
      }
      one.same("COMMIT");
      for (String table : RandomWrites.tables()) {
        one.same(RandomWrites.all(table));
      }
    }
    return differences;
  }

  private static ComparedSessions open(
      Servers servers, String schema, String properties, List<String> differences)
      throws SQLException {
    return ComparedSessions.open(servers, schema, properties, differences);
  }

  /**
   * A transaction may find out late that it reads on one more DN; what follows is not comparable.
   */
  private static boolean lostItsSnapshot(List<String> differences) {
    return differences.size() == 1
        && differences.getFirst().contains("error alrai:  1213 ")
        && differences.getFirst().contains("its snapshot is gone there");
  }
}
