package io.alrai.tpcc;

import io.alrai.common.jdbc.MysqlEndpoint;
import java.math.BigDecimal;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * One consistency condition: ordered SELECTs that are merged by key, and a rule for every key.
 *
 * @param number 1 to 12
 * @param rule in words
 * @param keys leading columns of every SELECT that are its key, integers
 * @param atLeast keys that must come, or the tables have lost rows
 * @param test the rule
 * @param selects each ordered by its keys, which are unique
 */
record Condition(int number, String rule, int keys, int atLeast, Test test, List<String> selects) {
  private static final int EXAMPLES = 10;

  /** Whether the condition holds for a key, given the figures of all SELECTs side by side. */
  @FunctionalInterface
  interface Test {
    boolean holds(BigDecimal[] figures);
  }

  TpccConsistency.Result check(MysqlEndpoint endpoint) throws SQLException {
    long start = System.nanoTime();
    List<KeyedRows> streams = new ArrayList<>();
    try {
      for (String select : selects) {
        streams.add(KeyedRows.open(endpoint, select, keys));
      }
      return merge(streams, start);
    } finally {
      for (KeyedRows stream : streams) {
        stream.close();
      }
    }
  }

  private TpccConsistency.Result merge(List<KeyedRows> streams, long startNanos)
      throws SQLException {
    int width = streams.stream().mapToInt(KeyedRows::figures).sum();
    BigDecimal[] figures = new BigDecimal[width];
    long compared = 0;
    long violations = 0;
    List<String> examples = new ArrayList<>();
    while (streams.stream().anyMatch(KeyedRows::hasRow)) {
      long[] key =
          streams.stream()
              .filter(KeyedRows::hasRow)
              .map(KeyedRows::key)
              .min(Arrays::compare)
              .orElseThrow()
              .clone();
      int at = 0;
      for (KeyedRows stream : streams) {
        at = stream.takeIfAt(key, figures, at);
      }
      compared++;
      if (!test.holds(figures)) {
        violations++;
        if (examples.size() < EXAMPLES) {
          examples.add("key " + Arrays.toString(key) + ": " + Arrays.toString(figures));
        }
      }
    }
    if (compared < atLeast) {
      violations++;
      examples.add("only " + compared + " keys, expected at least " + atLeast);
    }
    return new TpccConsistency.Result(
        number,
        rule,
        compared,
        violations,
        examples,
        Duration.ofNanos(System.nanoTime() - startNanos));
  }
}
