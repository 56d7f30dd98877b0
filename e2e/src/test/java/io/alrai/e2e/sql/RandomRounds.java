package io.alrai.e2e.sql;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.alrai.testing.DatabaseNames;
import io.alrai.testing.HostileNames;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;

/**
 * Rounds of random statements that a plain mysqld and Alrai answer: with the seeds 1 and up, then
 * as many with fresh ones. {@code -Drandom.seed=N} begins with that seed and takes no fresh ones,
 * {@code -Drandom.rounds=N} says how many there are of each.
 */
final class RandomRounds {
  private RandomRounds() {}

  /** One round. */
  interface Round {
    /**
     * The differences that it found.
     *
     * @param fresh whether nobody has seen what this seed gives: some types and warnings of MySQL
     *     depend on its plan
     */
    List<String> differences(long seed, boolean fresh) throws SQLException;
  }

  /**
   * Runs all; fails with the seed of the first that found a difference. Returns how many.
   *
   * @param usual how many of each there are if nothing else is said
   */
  static int run(int usual, Round round) throws SQLException {
    int rounds = Integer.getInteger("random.rounds", usual);
    long fixed = Long.getLong("random.seed", 1);
    boolean given = System.getProperty("random.seed") != null;
    run(fixed, rounds, given, round);
    if (!given) {
      run(System.nanoTime(), rounds, true, round);
    }
    return given ? rounds : 2 * rounds;
  }

  /** What stands for the names of a round's statements, and for the aliases that they have. */
  static HostileNames names(List<String> setup, long seed) {
    List<String> statements = new ArrayList<>(setup);
    statements.add("SELECT 1 AS p, 2 AS other, 3 AS z, 4 AS c0, 5 AS c1, 6 AS y, 7 AS w, 8 AS c2");
    statements.add("SAVEPOINT p0");
    statements.add("SAVEPOINT p1");
    statements.add("SAVEPOINT p2");
    return HostileNames.of(statements, false, DatabaseNames.seed("random") + seed);
  }

  private static void run(long first, int rounds, boolean fresh, Round round) throws SQLException {
    for (long seed = first; seed < first + rounds; seed++) {
      List<String> differences = round.differences(seed, fresh);
      String begin = "-Drandom.seed=" + seed;
      assertEquals(List.of(), differences, () -> begin + "\n" + String.join("\n", differences));
    }
  }
}
