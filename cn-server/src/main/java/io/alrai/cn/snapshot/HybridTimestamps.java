package io.alrai.cn.snapshot;

import io.alrai.common.time.HlcTimestamp;
import io.alrai.dn.clock.NodeClock;
import java.util.concurrent.CompletableFuture;
import java.util.function.LongSupplier;

/** {@code HLC}: the CN's own clock, which follows the clocks of all DNs; no other node is asked. */
public final class HybridTimestamps implements TimestampSource {
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
    long wall = wallMillis.getAsLong() << HlcTimestamp.LOGICAL_BITS;
    return CompletableFuture.completedFuture(
        TimestampSource.ahead(wall, clock.nowValue(), aheadMillis));
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
