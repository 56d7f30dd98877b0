package io.alrai.tpcc;

/**
 * Counts durations in microseconds, exact below 128 and within 1.6 percent above, in some 20 KiB.
 * For one thread.
 *
 * <pre>
 * bucket   0..127    one microsecond each
 * then     64 buckets per power of two: 128..255 two microseconds each, 256..511 four, ...
 * </pre>
 */
final class LatencyHistogram {
  private static final int PER_OCTAVE_BITS = 6;
  private static final int PER_OCTAVE = 1 << PER_OCTAVE_BITS;
  private static final int EXACT = 2 * PER_OCTAVE;

  private final long[] counts = new long[EXACT + PER_OCTAVE * (63 - PER_OCTAVE_BITS)];
  private long total;
  private long sumMicros;
  private long maxMicros;

  void record(long micros) {
    long value = Math.max(0, micros);
    counts[bucket(value)]++;
    total++;
    sumMicros += value;
    maxMicros = Math.max(maxMicros, value);
  }

  void add(LatencyHistogram other) {
    for (int i = 0; i < counts.length; i++) {
      counts[i] += other.counts[i];
    }
    total += other.total;
    sumMicros += other.sumMicros;
    maxMicros = Math.max(maxMicros, other.maxMicros);
  }

  long total() {
    return total;
  }

  /** 0 if nothing was recorded. */
  long meanMicros() {
    return total == 0 ? 0 : sumMicros / total;
  }

  /** 0 if nothing was recorded. */
  long maxMicros() {
    return maxMicros;
  }

  /**
   * The least duration that {@code percent} of the recorded ones do not exceed, rounded up to the
   * end of its bucket; 0 if nothing was recorded.
   */
  long percentileMicros(double percent) {
    long rank = Math.max(1, (long) Math.ceil(total * percent / 100));
    long seen = 0;
    for (int i = 0; i < counts.length; i++) {
      seen += counts[i];
      if (seen >= rank) {
        return Math.min(highestIn(i), maxMicros);
      }
    }
    return 0;
  }

  private static int bucket(long value) {
    if (value < EXACT) {
      return (int) value;
    }
    int shift = 63 - PER_OCTAVE_BITS - Long.numberOfLeadingZeros(value);
    return EXACT + (shift - 1) * PER_OCTAVE + (int) (value >>> shift) - PER_OCTAVE;
  }

  private static long highestIn(int bucket) {
    if (bucket < EXACT) {
      return bucket;
    }
    int shift = (bucket - EXACT) / PER_OCTAVE + 1;
    int mantissa = (bucket - EXACT) % PER_OCTAVE + PER_OCTAVE;
    return ((mantissa + 1L) << shift) - 1;
  }
}
