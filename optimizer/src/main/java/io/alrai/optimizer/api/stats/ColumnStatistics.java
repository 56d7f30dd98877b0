package io.alrai.optimizer.api.stats;

import java.util.Optional;

/**
 * What is known of a column's values.
 *
 * @param distinct how many different ones, at least 1
 * @param nullFraction the part of rows that are NULL, 0 to 1
 * @param range the smallest and the largest, of numbers and points in time
 * @param histogram how they are spread over the range
 */
public record ColumnStatistics(
    double distinct, double nullFraction, Optional<Range> range, Optional<Histogram> histogram) {
  /**
   * Smallest and largest value: numbers as they are, dates in days since 1970-01-01, moments in
   * microseconds since then.
   */
  public record Range(double low, double high) {}

  /** Of which only the number of different values is known. */
  public static ColumnStatistics ofDistinct(double distinct) {
    return new ColumnStatistics(distinct, 0, Optional.empty(), Optional.empty());
  }

  /** With its range. */
  public static ColumnStatistics ofRange(double distinct, double low, double high) {
    return new ColumnStatistics(distinct, 0, Optional.of(new Range(low, high)), Optional.empty());
  }

  /** A copy with at most this many different values. */
  public ColumnStatistics atMost(double rows) {
    return distinct <= rows
        ? this
        : new ColumnStatistics(Math.max(1, rows), nullFraction, range, histogram);
  }

  /**
   * The part of the values that are not NULL and lie below a bound, 0 to 1; empty when the range is
   * not known.
   */
  public Optional<Double> fractionBelow(double bound) {
    if (histogram.isPresent()) {
      return Optional.of(histogram.get().fractionBelow(bound));
    }
    return range.map(known ->
        known.high() <= known.low()
            ? (bound > known.low() ? 1.0 : 0.0)
            : Math.clamp((bound - known.low()) / (known.high() - known.low()), 0.0, 1.0));
  }
}
