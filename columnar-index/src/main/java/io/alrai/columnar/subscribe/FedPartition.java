package io.alrai.columnar.subscribe;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import io.alrai.columnar.version.Partition;
import io.alrai.columnar.version.PartitionLoader;
import io.alrai.common.changelog.RowChange;
import io.alrai.common.time.HlcTimestamp;
import java.util.ArrayList;
import java.util.List;

/**
 * A partition and what comes for it from the log, from before its snapshot is chosen. Changes that
 * come while the snapshot is loaded are kept; of all, those that the snapshot has are left out by
 * their stamps.
 *
 * <pre>
 *  log       --c(5)---c(9)---c(7)------c(12)---c(14)--->
 *  snapshot at 8:      kept: 9, 12          | loaded: 9 and 12 are applied, 14 as it comes
 * </pre>
 *
 * Fed by one thread, loaded by another. One that cannot be completed is Failed.
 */
public final class FedPartition {
  private record Change(HlcTimestamp stamp, List<RowChange> rows) {}

  private final Partition partition;
  private final long mostKept;

  @GuardedBy("this")
  private final List<Change> kept = new ArrayList<>();

  @GuardedBy("this")
  private long keptRows;

  @GuardedBy("this")
  private HlcTimestamp missing = HlcTimestamp.ZERO;

  @GuardedBy("this")
  private String missingReason = "";

  @GuardedBy("this")
  private HlcTimestamp snapshot = HlcTimestamp.ZERO;

  @GuardedBy("this")
  private boolean loaded;

  /**
   * An empty partition that is to be loaded.
   *
   * @param mostKept changes of rows that are kept while it is loaded; with more it fails
   */
  public FedPartition(Partition partition, long mostKept) {
    this.partition = partition;
    this.mostKept = mostKept;
  }

  /** The partition; it is loaded first and can be read afterwards. */
  public Partition partition() {
    return partition;
  }

  /**
   * The snapshot is complete: applies what came meanwhile.
   *
   * @param loader has been given all its rows
   */
  public synchronized void loaded(PartitionLoader loader, HlcTimestamp at) {
    snapshot = at;
    loader.finish(at);
    loaded = true;
    kept.forEach(change -> apply(change.stamp(), change.rows()));
    kept.clear();
    if (missing.compareTo(at) > 0) {
      partition.fail(missingReason);
    }
  }

  synchronized void apply(HlcTimestamp stamp, List<RowChange> rows) {
    if (!loaded) {
      keep(stamp, rows);
    } else if (stamp.compareTo(snapshot) > 0) {
      partition.apply(stamp, rows);
    }
  }

  @GuardedBy("this")
  private void keep(HlcTimestamp stamp, List<RowChange> rows) {
    keptRows += rows.size();
    if (keptRows > mostKept) {
      kept.clear();
      fail("more than " + mostKept + " rows were changed while it was built");
    } else {
      kept.add(new Change(stamp, rows));
    }
  }

  /** The changes of a transaction did not come. */
  synchronized void missing(HlcTimestamp stamp, String reason) {
    if (!loaded && stamp.compareTo(missing) > 0) {
      missing = stamp;
      missingReason = reason;
    } else if (loaded && stamp.compareTo(snapshot) > 0) {
      fail(reason);
    }
  }

  /** Makes it Failed: it must be built anew. Any thread. */
  public void fail(String reason) {
    partition.fail(reason);
  }
}
