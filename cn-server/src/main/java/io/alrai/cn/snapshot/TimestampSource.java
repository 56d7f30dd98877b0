package io.alrai.cn.snapshot;

import io.alrai.common.time.HlcTimestamp;
import java.util.concurrent.CompletableFuture;

/**
 * Where the timestamps of snapshots and of commits over several DNs come from: {@code
 * timestamp_source}. Thread-safe.
 */
public interface TimestampSource {
  /**
   * How far ahead of the wall time snapshots push the clocks at most, however many ask at once:
   * nodes whose wall times differ by 200 ms still follow each other, up to {@link
   * io.alrai.common.time.HybridLogicalClock#USUAL_MAX_AHEAD_MILLIS}.
   */
  long MOST_LEAD_MILLIS = 250;

  /**
   * Where the clocks are ahead of the wall time: what may be stamped while a snapshot travels, for
   * each millisecond ahead. Far less than the time that it stands for, so that snapshots do not
   * push the clocks further and further.
   */
  long TICKS_PER_MILLI_AHEAD = 1 << 8;

  /**
   * A timestamp near now.
   *
   * @param aheadMillis how far ahead of now it should lie, for a snapshot; see {@link
   *     SnapshotClock}
   */
  CompletableFuture<HlcTimestamp> snapshot(int aheadMillis);

  /**
   * The timestamp of a commit.
   *
   * @param prepared the largest of its prepare timestamps, which it is not below
   */
  CompletableFuture<HlcTimestamp> commit(HlcTimestamp prepared);

  /**
   * A DN has shown that timestamp already; snapshots are above it from now on.
   *
   * @throws io.alrai.common.error.AlraiException ALRAI_CLOCK_SKEW when it is too far ahead
   */
  void follow(HlcTimestamp seen);

  /**
   * A snapshot that is above what is shown already.
   *
   * @param wall the wall time, as 64 bits of HLC
   * @param shown the latest that is known to be shown, as 64 bits of HLC
   * @param aheadMillis as {@link #snapshot}
   */
  static HlcTimestamp ahead(long wall, long shown, int aheadMillis) {
    long furthest = wall + (MOST_LEAD_MILLIS << HlcTimestamp.LOGICAL_BITS);
    long soon = wall + ((long) aheadMillis << HlcTimestamp.LOGICAL_BITS);
    long above = Math.min(shown + aheadMillis * TICKS_PER_MILLI_AHEAD, furthest);
    return new HlcTimestamp(Math.max(soon, Math.max(above, shown + 1)));
  }
}
