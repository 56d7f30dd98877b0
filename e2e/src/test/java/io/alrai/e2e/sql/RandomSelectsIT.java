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
 * Random SELECTs over random rows give the same answers as on a plain mysqld: columns, rows, errors
 * and warnings. {@link RandomRounds} says with which seeds.
 */
@ExtendWith(Servers.Shared.class)
class RandomSelectsIT {
  private static final int ROUNDS = 8;
  private static final int SELECTS_OF_A_ROUND = 150;
  private static final int MOST_DIFFERENCES = 12;

  @Test
  void answersAreEqual(Servers servers) throws SQLException {
    int rounds = RandomRounds.run(ROUNDS, (seed, fresh) -> round(servers, seed, fresh));
    System.out.println("random SELECTs compared: " + rounds * SELECTS_OF_A_ROUND);
  }

  private static List<String> round(Servers servers, long seed, boolean fresh) throws SQLException {
    RandomSelects random = new RandomSelects(new SplittableRandom(seed));
    String schema = DatabaseNames.of(seed);
    List<String> differences = new ArrayList<>();
    Servers.freshSchema(servers.plain().port(), schema);
    Servers.freshSchema(servers.cluster().port(), schema);
    List<String> setup = random.setup();
    HostileNames names = RandomRounds.names(setup, seed);
    try (ComparedSessions sessions =
        ComparedSessions.open(servers, schema, "", differences).with(names)) {
      for (String sql : setup) {
        sessions.same(sql);
      }
      for (int i = 0; i < SELECTS_OF_A_ROUND && differences.size() < MOST_DIFFERENCES; i++) {
        if (fresh) {
          sessions.sameRows(random.next());
        } else {
          sessions.same(random.next());
        }
      }
    }
    return differences;
  }
}
