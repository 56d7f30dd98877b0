package io.alrai.cn.digest;

import java.util.Arrays;

/**
 * Counts of {@link LatencyBuckets}, with room for those from the first to the last that has any.
 * Not thread-safe.
 */
final class Latencies {
  private static final int STEP = 32;

  private long[] counts = new long[0];

  /** The bucket of the first count. */
  private int first;

  /** Counts one, or more, of a bucket. */
  void add(int bucket, long times) {
    if (counts.length == 0) {
      first = bucket / STEP * STEP;
      counts = new long[STEP];
    } else if (bucket < first) {
      int from = bucket / STEP * STEP;
      long[] wider = new long[counts.length + first - from];
      System.arraycopy(counts, 0, wider, first - from, counts.length);
      counts = wider;
      first = from;
    } else if (bucket >= first + counts.length) {
      counts = Arrays.copyOf(counts, (bucket - first) / STEP * STEP + STEP);
    }
    counts[bucket - first] += times;
  }

  /** Counts all that another one has. */
  void add(Latencies other) {
    for (int i = 0; i < other.counts.length; i++) {
      if (other.counts[i] != 0) {
        add(other.first + i, other.counts[i]);
      }
    }
  }

  /** How many are in a bucket. */
  long count(int bucket) {
    int at = bucket - first;
    return at >= 0 && at < counts.length ? counts[at] : 0;
  }

  /** The end, in picoseconds, of the bucket below which a part of all lies, as MySQL finds it. */
  long quantile(double part, long all) {
    double wanted = all * part;
    long below = 0;
    for (int bucket = first; bucket < first + counts.length; bucket++) {
      below += counts[bucket - first];
      if (below >= wanted && below > 0) {
        return LatencyBuckets.high(bucket);
      }
    }
    return 0;
  }

  void clear() {
    counts = new long[0];
    first = 0;
  }
}
