package io.alrai.cn.snapshot;

import io.alrai.common.time.HlcTimestamp;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Chooses the snapshots of a CN's reads. A snapshot lies a little ahead, so that it is in no DN's
 * past when it arrives there; how much is learned from refusals. Thread-safe.
 */
public final class SnapshotClock {
  static final int LEAST_AHEAD_MILLIS = 1;
  static final int MOST_AHEAD_MILLIS = 64;

  /**
   * How far ahead a snapshot is chosen that should not be refused. More would push the clocks
   * forward when many ask.
   */
  static final int FAR_AHEAD_MILLIS = 16;

  /** After how many snapshots without a refusal the distance is halved. */
  static final int CALM = 256;

  private final TimestampSource source;
  private final AtomicInteger aheadMillis = new AtomicInteger(LEAST_AHEAD_MILLIS);
  private final AtomicInteger calm = new AtomicInteger();

  /** Snapshots of a source. */
  public SnapshotClock(TimestampSource source) {
    this.source = source;
  }

  /**
   * A snapshot that shows all that this CN has seen committed. Fails with ALRAI_NODE_UNAVAILABLE
   * when the source is out of reach.
   *
   * @param least a stamp that it is not below, as 64 bits of HLC
   */
  public CompletableFuture<HlcTimestamp> next(long least) {
    return next(least, LEAST_AHEAD_MILLIS);
  }

  /**
   * A snapshot that is further ahead.
   *
   * @param leastAheadMillis {@link #LEAST_AHEAD_MILLIS} to {@link #MOST_AHEAD_MILLIS}
   */
  CompletableFuture<HlcTimestamp> next(long least, int leastAheadMillis) {
    if (calm.incrementAndGet() >= CALM) {
      calm.set(0);
      aheadMillis.updateAndGet(ahead -> Math.max(LEAST_AHEAD_MILLIS, ahead / 2));
    }
    return source
        .snapshot(Math.max(leastAheadMillis, aheadMillis.get()))
        .thenApply(next -> new HlcTimestamp(Math.max(next.value(), least)));
  }

  /** The timestamp to propose for a commit whose branches are prepared; fails as {@link #next}. */
  public CompletableFuture<HlcTimestamp> commit(HlcTimestamp prepared) {
    return source.commit(prepared);
  }

  /**
   * A DN refused a snapshot; the next will be above the hint, and further ahead.
   *
   * @throws io.alrai.common.error.AlraiException ALRAI_CLOCK_SKEW when the hint is further ahead
   *     than the bound allows
   */
  public void refused(HlcTimestamp hint) {
    calm.set(0);
    aheadMillis.updateAndGet(ahead -> Math.min(MOST_AHEAD_MILLIS, ahead * 2));
    source.follow(hint);
  }

  /**
   * A client brings the stamp of what it has seen at another CN.
   *
   * @throws io.alrai.common.error.AlraiException ALRAI_CLOCK_SKEW when it is further ahead than the
   *     bound allows
   */
  public void follow(HlcTimestamp seen) {
    source.follow(seen);
  }
}
