package io.alrai.e2e.sql;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.sql.SQLException;
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

  private static void run(long first, int rounds, boolean fresh, Round round) throws SQLException {
    for (long seed = first; seed < first + rounds; seed++) {
      List<String> differences = round.differences(seed, fresh);
      String begin = "-Drandom.seed=" + seed;
      assertEquals(List.of(), differences, () -> begin + "\n" + String.join("\n", differences));
    }
  }
}
