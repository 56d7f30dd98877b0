package io.alrai.columnar.scan;

import io.alrai.common.time.HlcTimestamp;
import java.util.List;
import java.util.concurrent.CompletableFuture;

/** A partition of a table in the column index, to be read. Thread-safe. */
public interface ColumnTable {
  /** Its columns. */
  TableShape shape();

  /**
   * Opens a scan as soon as everything up to that timestamp has arrived. Does not wait: the future
   * completes on the feed's thread, or at once, and must be followed by short work only. A caller
   * that no longer wants it cancels the future; a scan that it then brings is closed by itself.
   *
   * <p>The future fails with an {@link io.alrai.common.error.AlraiException}: {@code
   * ALRAI_SNAPSHOT_TOO_OLD} when versions of that time are compacted away, {@code
   * ALRAI_NODE_UNAVAILABLE} when the index is not ready.
   *
   * @param at the snapshot
   * @param ordinals the columns of the batches; none for counting rows only
   * @param filter which row groups are left out
   */
  CompletableFuture<TableScan> scan(HlcTimestamp at, List<Integer> ordinals, ZoneFilter filter);
}
