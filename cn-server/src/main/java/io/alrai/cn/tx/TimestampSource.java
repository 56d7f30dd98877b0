package io.alrai.cn.tx;

import io.alrai.common.time.HlcTimestamp;
import java.util.concurrent.CompletableFuture;

/**
 * Where the timestamps of snapshots and of commits over several DNs come from: {@code
 * timestamp_source}. Thread-safe.
 */
public interface TimestampSource {
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
   * A DN has shown that timestamp already; snapshots lie above from now on.
   *
   * @throws io.alrai.common.error.AlraiException ALRAI_CLOCK_SKEW when it is too far ahead
   */
  void follow(HlcTimestamp seen);
}
