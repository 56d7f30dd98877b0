package io.alrai.common.metrics;

import java.util.Arrays;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReferenceArray;
import java.util.concurrent.atomic.LongAdder;
import java.util.stream.LongStream;
import org.jspecify.annotations.Nullable;

/**
 * How long something takes, as a distribution: counts of times in buckets whose bounds go in steps
 * of 1, 2 and 5 from 50 µs to 20 s, and 60 s. Recording takes no lock and allocates nothing.
 * Thread-safe.
 */
public final class Latency {
  private static final long MICROS = TimeUnit.MICROSECONDS.toNanos(1);
  private static final long SECONDS = TimeUnit.SECONDS.toNanos(1);

  /** The largest time of each bucket but the last one, which has no end. */
  private static final long[] BOUNDS_NANOS =
      LongStream.concat(
              LongStream.of(50, 100, 200, 500, 1_000, 2_000, 5_000, 10_000, 20_000, 50_000, 100_000)
                  .map(micros -> micros * MICROS),
              LongStream.of(200, 500, 1_000, 2_000, 5_000, 10_000, 20_000, 60_000)
                  .map(millis -> millis * 1_000 * MICROS))
          .toArray();

  private final LongAdder[] buckets = new LongAdder[BOUNDS_NANOS.length + 1];
  private final LongAdder sum = new LongAdder();
  private final AtomicReferenceArray<@Nullable Exemplar> exemplars =
      new AtomicReferenceArray<>(BOUNDS_NANOS.length + 1);

  /**
   * One of the times, and the trace that tells of it.
   *
   * @param trace its id in hexadecimal
   * @param epochMillis when that was, since 1970
   */
  record Exemplar(String trace, long nanos, long epochMillis) {
    double seconds() {
      return nanos / (double) SECONDS;
    }
  }

  /** One that nothing reads until {@link Metrics} does. */
  public Latency() {
    Arrays.setAll(buckets, bucket -> new LongAdder());
  }

  /** It has taken so long once more. */
  public void record(long nanos) {
    buckets[bucket(nanos)].increment();
    sum.add(nanos);
  }

  /**
   * There is a trace of one that is recorded: the last one of each bucket is kept.
   *
   * @param nanos that it took
   * @param trace its id in hexadecimal
   * @param epochMillis when that was, since 1970
   */
  public void exemplar(long nanos, String trace, long epochMillis) {
    exemplars.set(bucket(nanos), new Exemplar(trace, nanos, epochMillis));
  }

  /** The last time in a bucket that has a trace; null for none. */
  @Nullable Exemplar exemplar(int bucket) {
    return exemplars.get(bucket);
  }

  private static int bucket(long nanos) {
    int low = 0;
    int high = BOUNDS_NANOS.length;
    while (low < high) {
      int middle = (low + high) >>> 1;
      if (nanos <= BOUNDS_NANOS[middle]) {
        high = middle;
      } else {
        low = middle + 1;
      }
    }
    return low;
  }

  /** Bounds in seconds. */
  static double[] bounds() {
    return Arrays.stream(BOUNDS_NANOS).mapToDouble(nanos -> nanos / (double) SECONDS).toArray();
  }

  /** How many were at or below each bound; the last is how many there are. */
  long[] cumulative() {
    long[] counts = Arrays.stream(buckets).mapToLong(LongAdder::sum).toArray();
    Arrays.parallelPrefix(counts, Long::sum);
    return counts;
  }

  /** All of them together in nanoseconds; to be read only. */
  public LongAdder sum() {
    return sum;
  }

  double sumSeconds() {
    return sum.sum() / (double) SECONDS;
  }

  /** The bound in seconds that 99 of 100 did not exceed, of all of them together; 0 of none. */
  static double p99(long[] cumulative) {
    long all = cumulative[cumulative.length - 1];
    for (int bucket = 0; bucket < BOUNDS_NANOS.length; bucket++) {
      if (all > 0 && cumulative[bucket] >= all * 0.99) {
        return BOUNDS_NANOS[bucket] / (double) SECONDS;
      }
    }
    return all == 0 ? 0 : BOUNDS_NANOS[BOUNDS_NANOS.length - 1] / (double) SECONDS;
  }
}
