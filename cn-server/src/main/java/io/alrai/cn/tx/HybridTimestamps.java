package io.alrai.cn.tx;

import io.alrai.common.time.HlcTimestamp;
import io.alrai.dn.clock.NodeClock;
import java.util.concurrent.CompletableFuture;
import java.util.function.LongSupplier;

/** {@code HLC}: the CN's own clock, which follows every DN's; nobody is asked. */
public final class HybridTimestamps implements TimestampSource {
  /**
   * Where the clock is ahead of the wall time: what may be stamped while a snapshot travels, for
   * each millisecond ahead. Less than the time that it stands for, lest each snapshot push the
   * clocks further.
   */
  static final long TICKS_PER_MILLI_AHEAD = 1 << 12;

  private final NodeClock clock;
  private final LongSupplier wallMillis;

  /**
   * Timestamps by a node's clock.
   *
   * @param wallMillis milliseconds since 1970
   */
  public HybridTimestamps(NodeClock clock, LongSupplier wallMillis) {
    this.clock = clock;
    this.wallMillis = wallMillis;
  }

  @Override
  public CompletableFuture<HlcTimestamp> snapshot(int aheadMillis) {
    long soon = wallMillis.getAsLong() + aheadMillis << HlcTimestamp.LOGICAL_BITS;
    long next = Math.max(soon, clock.nowValue() + aheadMillis * TICKS_PER_MILLI_AHEAD);
    return CompletableFuture.completedFuture(new HlcTimestamp(next));
  }

  @Override
  public CompletableFuture<HlcTimestamp> commit(HlcTimestamp prepared) {
    return CompletableFuture.completedFuture(prepared);
  }

  @Override
  public void follow(HlcTimestamp seen) {
    clock.update(seen);
  }
}
