package io.alrai.cn.digest;

import java.util.Arrays;

/**
 * The 450 buckets in which MySQL's performance schema counts latencies: up to 10 microseconds, then
 * 50 for each power of ten. In picoseconds. Stateless.
 */
public final class LatencyBuckets {
  /** How many there are. */
  public static final int COUNT = 450;

  private static final double FIRST = 10_000_000;
  private static final double FACTOR = 1.0471285480508996;

  /** Where each begins. */
  private static final long[] LOWS = lows();

  private LatencyBuckets() {}

  private static long[] lows() {
    long[] lows = new long[COUNT];
    double next = FIRST;
    for (int i = 1; i < COUNT; i++) {
      lows[i] = (long) next;
      next *= FACTOR;
    }
    return lows;
  }

  /** Which one counts a time. */
  public static int of(long picos) {
    int found = Arrays.binarySearch(LOWS, picos);
    return found >= 0 ? found : -found - 2;
  }

  /** Where one begins. */
  public static long low(int bucket) {
    return LOWS[bucket];
  }

  /** Where the next one begins; the last one has no end, which is -1 as an unsigned number. */
  public static long high(int bucket) {
    return bucket == COUNT - 1 ? -1 : LOWS[bucket + 1];
  }
}
