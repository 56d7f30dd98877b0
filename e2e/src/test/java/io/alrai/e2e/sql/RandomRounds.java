package io.alrai.e2e.sql;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.alrai.testing.SqlScript;
import io.alrai.testing.StatementAnswer;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.function.UnaryOperator;
import java.util.stream.LongStream;

/**
 * Rounds of random statements that a plain mysqld and Alrai answer: with the seeds 1 and up, then
 * as many with fresh ones. {@code -Drandom.seed=N} begins with that seed and takes no fresh ones,
 * {@code -Drandom.rounds=N} says how many there are of each.
 */
final class RandomRounds {
  private RandomRounds() {}

  /** One round. */
  interface Round {
    /** The differences that it found. */
    List<String> differences(long seed) throws SQLException;
  }

  /**
   * Runs all; fails with the seed of the first that found a difference. Returns how many.
   *
   * @param usual how many of each there are if nothing else is said
   */
  static int run(int usual, Round round) throws SQLException {
    int rounds = Integer.getInteger("random.rounds", usual);
    long fixed = Long.getLong("random.seed", 1);
    List<Long> seeds = new ArrayList<>(LongStream.range(fixed, fixed + rounds).boxed().toList());
    if (System.getProperty("random.seed") == null) {
      long fresh = System.nanoTime();
      seeds.addAll(LongStream.range(fresh, fresh + rounds).boxed().toList());
    }
    for (long seed : seeds) {
      List<String> differences = round.differences(seed);
      assertEquals(
          List.of(),
          differences,
          () -> "-Drandom.seed=" + seed + "\n" + String.join("\n", differences));
    }
    return seeds.size();
  }

  /** Runs a statement on both and notes how their answers differ. */
  static void compare(
      Connection plain, Connection alrai, RandomSelects.Select select, List<String> differences) {
    compare(plain, alrai, select, answer -> answer, differences);
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
