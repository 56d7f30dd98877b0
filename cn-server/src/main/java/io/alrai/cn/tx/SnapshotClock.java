package io.alrai.cn.tx;

import io.alrai.common.time.HlcTimestamp;
import io.alrai.dn.clock.NodeClock;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.LongSupplier;

/**
 * Chooses the snapshots of a CN's reads. A snapshot lies a little ahead, so that it is in no DN's
 * past when it arrives there; how much is learned from refusals. Thread-safe.
 */
public final class SnapshotClock {
  static final int LEAST_AHEAD_MILLIS = 1;
  static final int MOST_AHEAD_MILLIS = 64;

  /** So many snapshots in a row without a refusal: half as far ahead will do. */
  static final int CALM = 256;

  /**
   * Where the clock is ahead of the wall time: what may be stamped while a snapshot travels, for
   * each millisecond ahead. Less than the time that it stands for, lest each snapshot push the
   * clocks further.
   */
  static final long TICKS_PER_MILLI_AHEAD = 1 << 12;

  private final NodeClock clock;
  private final LongSupplier wallMillis;
  private final AtomicInteger aheadMillis = new AtomicInteger(LEAST_AHEAD_MILLIS);
  private final AtomicInteger calm = new AtomicInteger();

  /**
   * Snapshots by a node's clock, which follows every DN's.
   *
   * @param wallMillis milliseconds since 1970
   */
  public SnapshotClock(NodeClock clock, LongSupplier wallMillis) {
    this.clock = clock;
    this.wallMillis = wallMillis;
  }

  /**
   * A snapshot that shows all that this CN has seen committed.
   *
   * @param least a stamp that it is not below, as 64 bits of HLC
   */
  public HlcTimestamp next(long least) {
    if (calm.incrementAndGet() >= CALM) {
      calm.set(0);
      aheadMillis.updateAndGet(ahead -> Math.max(LEAST_AHEAD_MILLIS, ahead / 2));
    }
    int ahead = aheadMillis.get();
    long soon = wallMillis.getAsLong() + ahead << HlcTimestamp.LOGICAL_BITS;
    long next = Math.max(soon, clock.nowValue() + ahead * TICKS_PER_MILLI_AHEAD);
    return new HlcTimestamp(Math.max(next, least));
  }

  /**
   * A DN refused one; the next will be above the hint, and further ahead.
   *
   * @throws io.alrai.common.error.AlraiException ALRAI_CLOCK_SKEW when the hint is further ahead
   *     than the bound allows
   */
  public void refused(HlcTimestamp hint) {
    calm.set(0);
    aheadMillis.updateAndGet(ahead -> Math.min(MOST_AHEAD_MILLIS, ahead * 2));
    clock.update(hint);
  }

  /**
   * A client brings the stamp of what it has seen at another CN.
   *
   * @throws io.alrai.common.error.AlraiException ALRAI_CLOCK_SKEW when it is further ahead than the
   *     bound allows
   */
  public void follow(HlcTimestamp seen) {
    clock.update(seen);
  }
}
