package io.alrai.e2e.sql;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.alrai.testing.SqlScript;
import io.alrai.testing.StatementAnswer;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;
import java.util.function.UnaryOperator;

/**
 * Rounds of random statements that a plain mysqld and Alrai answer. {@code -Drandom.seed=N} says
 * with which seed they begin, {@code -Drandom.rounds=N} how many there are.
 */
final class RandomRounds {
  private RandomRounds() {}

  /** One round. */
  interface Round {
    /** The differences that it found. */
    List<String> differences(long seed) throws SQLException;
  }

  /** Runs all; fails with the seed of the first that found a difference. Returns how many. */
  static int run(Round round) throws SQLException {
    long first = Long.getLong("random.seed", 1);
    int rounds = Integer.getInteger("random.rounds", 3);
    System.out.println("-Drandom.seed=" + first);
    for (long seed = first; seed < first + rounds; seed++) {
      List<String> differences = round.differences(seed);
      long failed = seed;
      assertEquals(
          List.of(),
          differences,
          () -> "-Drandom.seed=" + failed + "\n" + String.join("\n", differences));
    }
    return rounds;
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
