package io.alrai.tpcc;

import java.time.Duration;

/**
 * When a run warms up and when it measures, on the clock of {@link System#nanoTime}.
 *
 * @param startNanos first transaction
 * @param measureNanos end of warm-up
 * @param endNanos no transaction starts any more
 */
record Phases(long startNanos, long measureNanos, long endNanos) {
  static Phases from(long startNanos, Duration warmUp, Duration measure) {
    long measureNanos = startNanos + warmUp.toNanos();
    return new Phases(startNanos, measureNanos, measureNanos + measure.toNanos());
  }

  boolean isOver(long nanos) {
    return nanos - endNanos >= 0;
  }

  boolean isMeasured(long nanos) {
    return nanos - measureNanos >= 0 && nanos - endNanos < 0;
  }

  /** Seconds, the last one begun counted, from start to end. */
  int seconds() {
    return (int) ((endNanos - startNanos + 999_999_999L) / 1_000_000_000L);
  }

  /** The second since the start, at most the last one. */
  int second(long nanos) {
    return (int) Math.min(seconds() - 1, Math.max(0, (nanos - startNanos) / 1_000_000_000L));
  }
}
