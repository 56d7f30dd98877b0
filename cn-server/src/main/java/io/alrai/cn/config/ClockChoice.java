package io.alrai.cn.config;

import io.alrai.common.time.HybridLogicalClock;
import io.alrai.dn.clock.WallTime;
import java.util.function.LongSupplier;

/**
 * The clock of a role's process.
 *
 * @param offsetMillis added to the wall time, for tests
 * @param maxAheadMillis how far ahead of the wall time other nodes may push the clock. More than
 *     usual is the way out when a node's system clock was ahead for a while and has been put right:
 *     others refuse that node until the time has come that it was at, but may just as well follow
 *     it there, as timestamps ahead of the time are right as long as all nodes have them
 */
public record ClockChoice(long offsetMillis, long maxAheadMillis) {
  /** The machine's time, and the usual bound. */
  public static final ClockChoice USUAL =
      new ClockChoice(0, HybridLogicalClock.USUAL_MAX_AHEAD_MILLIS);

  /** The wall time. */
  public LongSupplier wall() {
    return WallTime.withOffset(offsetMillis);
  }

  /** A clock that starts at the wall time. */
  public HybridLogicalClock clock(LongSupplier wall) {
    return new HybridLogicalClock(wall, maxAheadMillis);
  }
}
