package io.alrai.e2e.sql;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.alrai.testing.SqlScript;
import io.alrai.testing.StatementAnswer;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.function.UnaryOperator;

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

  /** Runs a statement on both and notes how their answers differ. */
  static void compare(
      Connection plain, Connection alrai, RandomSelects.Select select, List<String> differences) {
    compare(plain, alrai, select, answer -> answer, differences);
  }

  /** The same, of rows and errors only where nobody has seen what the seed gives. */
  static void compare(
      Connection plain,
      Connection alrai,
      RandomSelects.Select select,
      boolean fresh,
      List<String> differences) {
    if (fresh) {
      compareRows(plain, alrai, select, differences);
    } else {
      compare(plain, alrai, select, differences);
    }
  }

  /** The same of rows and errors only. */
  static void compareRows(
      Connection plain, Connection alrai, RandomSelects.Select select, List<String> differences) {
    compare(
        plain,
        alrai,
        select,
        answer ->
            new StatementAnswer(
                List.of(),
                answer.rows(),
                answer.updateCount(),
                List.of(),
                answer.error(),
                List.of()),
        differences);
  }

  /** A write of several rows: which of those that are wrong is found first is left open. */
  static void compareWrite(
      Connection plain, Connection alrai, String sql, List<String> differences) {
    compare(
        plain,
        alrai,
        new RandomSelects.Select(sql, false),
        answer ->
            new StatementAnswer(
                List.of(),
                answer.rows(),
                answer.updateCount(),
                List.of(),
                answer.error().isEmpty() ? "" : "an error",
                comparable(answer.warnings())),
        differences);
  }

  /** Without rows and order; that a column cannot be NULL is told once by each shard. */
  private static List<String> comparable(List<String> warnings) {
    Set<String> ofNull = new HashSet<>();
    return warnings.stream()
        .map(warning -> warning.replaceAll(" at row \\d+$", ""))
        .filter(warning -> !warning.startsWith("1048 ") || ofNull.add(warning))
        .sorted()
        .toList();
  }

  private static void compare(
      Connection plain,
      Connection alrai,
      RandomSelects.Select select,
      UnaryOperator<StatementAnswer> part,
      List<String> differences) {
    SqlScript.Statement statement =
        new SqlScript.Statement(
            1, select.sql(), select.anyOrder(), List.of(), SqlScript.Sender.ROOT);
    StatementAnswer expected =
        part.apply(StatementAnswer.of(plain, statement.plain(), statement, false));
    StatementAnswer actual =
        part.apply(StatementAnswer.of(alrai, statement.alrai(), statement, false));
    if (!expected.equals(actual)) {
      differences.add(select.sql() + expected.difference(actual));
    }
  }
}
