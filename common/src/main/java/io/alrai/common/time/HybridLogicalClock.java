package io.alrai.common.time;

import io.alrai.common.error.AlraiException;
import io.alrai.common.error.ErrorCode;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongSupplier;

/**
 * The hybrid logical clock of one node: the paper's ClockNow, ClockAdvance and ClockUpdate. Only
 * {@link #advance} ticks the logical part. Thread-safe and lock-free.
 */
public final class HybridLogicalClock {
  /** How far ahead of the wall time another node may push a clock, unless said otherwise. */
  public static final long USUAL_MAX_AHEAD_MILLIS = 500;

  private final AtomicLong latest;
  private final LongSupplier wallMillis;
  private final long maxAheadMillis;

  /**
   * A clock with the usual bound.
   *
   * @param wallMillis milliseconds since 1970
   */
  public HybridLogicalClock(LongSupplier wallMillis) {
    this(wallMillis, USUAL_MAX_AHEAD_MILLIS);
  }

  /**
   * A clock that starts at the wall time.
   *
   * @param wallMillis milliseconds since 1970
   * @param maxAheadMillis how far beyond the wall time another node may push this clock
   */
  public HybridLogicalClock(LongSupplier wallMillis, long maxAheadMillis) {
    this.wallMillis = wallMillis;
    this.maxAheadMillis = maxAheadMillis;
    this.latest = new AtomicLong(wallMillis.getAsLong() << HlcTimestamp.LOGICAL_BITS);
  }

  /** ClockNow: the latest timestamp, at least the wall time; does not tick. */
  public HlcTimestamp now() {
    return new HlcTimestamp(nowValue());
  }

  /** {@link #now} as its 64 bits, for paths that must not allocate. */
  public long nowValue() {
    long wall = wallMillis.getAsLong() << HlcTimestamp.LOGICAL_BITS;
    while (true) {
      long seen = latest.get();
      if (seen >= wall) {
        return seen;
      }
      if (latest.compareAndSet(seen, wall)) {
        return wall;
      }
    }
  }

  /** ClockAdvance: a timestamp above all that this clock gave or saw. */
  public HlcTimestamp advance() {
    long wall = wallMillis.getAsLong() << HlcTimestamp.LOGICAL_BITS;
    while (true) {
      long seen = latest.get();
      long next = Math.max(seen + 1, wall);
      if (latest.compareAndSet(seen, next)) {
        return new HlcTimestamp(next);
      }
    }
  }

  /**
   * ClockUpdate: from now on this clock is at or above the timestamp.
   *
   * @throws AlraiException ALRAI_CLOCK_SKEW when the timestamp is further ahead of the wall time
   *     than the bound; the clock does not follow it
   */
  public void update(HlcTimestamp remote) {
    updateValue(remote.value());
  }

  /** {@link #update} by 64 bits, for paths that must not allocate. */
  public void updateValue(long remote) {
    if (remote <= latest.get()) {
      return;
    }
    long aheadMillis = (remote >>> HlcTimestamp.LOGICAL_BITS) - wallMillis.getAsLong();
    if (aheadMillis > maxAheadMillis) {
      throw new AlraiException(
          ErrorCode.ALRAI_CLOCK_SKEW,
          "a remote clock is "
              + aheadMillis
              + " ms ahead, more than the allowed "
              + maxAheadMillis
              + " ms: check the time synchronisation of the nodes");
    }
    latest.accumulateAndGet(remote, Math::max);
  }

  /** Starts the clock above a persisted or recovered timestamp; no bound applies. */
  public void restoreAbove(HlcTimestamp floor) {
    latest.accumulateAndGet(floor.value() + 1, Math::max);
  }
}
