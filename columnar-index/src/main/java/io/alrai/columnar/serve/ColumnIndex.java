package io.alrai.columnar.serve;

import io.alrai.columnar.version.PartitionFigures;
import io.alrai.columnar.version.PartitionState;
import io.alrai.common.time.HlcTimestamp;
import java.util.concurrent.CompletableFuture;

/** The column index of one table, all partitions together. Any thread; never waits. */
public interface ColumnIndex {
  /** Its name. */
  String name();

  /** Rows, memory and state: Building or Failed as soon as one partition is. */
  PartitionFigures figures();

  /** Whether queries may be planned on it. It can still fail before or while they run. */
  default boolean isReady() {
    return figures().state() instanceof PartitionState.Ready;
  }

  /**
   * Opens the table as of a timestamp, as soon as everything up to it has been applied: the own
   * writes of a session whose snapshot is above them are in it. All DNs are asked to settle what is
   * undecided at or below the timestamp, so that this takes milliseconds, but a DN that is down
   * makes it wait: the caller bounds the time. A caller that no longer wants it cancels the future;
   * what it then brings is closed by itself.
   *
   * <p>The future fails with an {@link io.alrai.common.error.AlraiException}: {@code
   * ALRAI_SNAPSHOT_TOO_OLD} when versions of that time are compacted away, {@code
   * ALRAI_NODE_UNAVAILABLE} when the index is not ready.
   */
  CompletableFuture<IndexSnapshot> openAt(HlcTimestamp at);
}
