package io.alrai.columnar.subscribe;

import io.alrai.columnar.assemble.PreparedRows;
import io.alrai.columnar.assemble.TransactionSink;
import io.alrai.columnar.version.ResolvedTimestamp;
import io.alrai.common.changelog.LogRecord;
import io.alrai.common.changelog.TableChanges;
import io.alrai.common.time.HlcTimestamp;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/**
 * The partitions of one DN and the records that feed them. A partition is added before its snapshot
 * is chosen, so that no record between the two is missed.
 */
public final class DnSubscription {
  private record Table(String schema, String table) {}

  private final Map<Table, FedPartition> partitions = new ConcurrentHashMap<>();
  private final ResolvedTimestamp resolved;
  private final PreparedRows prepared = new PreparedRows(new Applying());

  /**
   * Follows nothing yet.
   *
   * @param resolved the DN's; its partitions wait for it
   */
  public DnSubscription(ResolvedTimestamp resolved) {
    this.resolved = resolved;
  }

  /** The table's rows go to this partition from the next record on. Any thread. */
  public void add(String schema, String table, FedPartition partition) {
    partitions.put(new Table(schema, table), partition);
  }

  /**
   * The table is followed no longer by this partition. Any thread.
   *
   * @return false when it was not the one that follows it
   */
  public boolean remove(String schema, String table, FedPartition partition) {
    return partitions.remove(new Table(schema, table), partition);
  }

  /** The partition of a table cannot be followed on. Any thread. */
  public void fail(String schema, String table, String reason) {
    FedPartition partition = partitions.get(new Table(schema, table));
    if (partition != null) {
      partition.fail(reason);
    }
  }

  /** Records are missing: every partition must be built anew. Any thread. */
  public void lost(String reason) {
    partitions.values().forEach(partition -> partition.fail(reason));
  }

  /**
   * The log is followed from here on: what was prepared before, and ends now, has missing rows. On
   * the feed's thread.
   */
  public void begin() {
    prepared.forget();
  }

  /** The next record; on the feed's thread. */
  public void accept(LogRecord next) {
    prepared.accept(next);
  }

  private final class Applying implements TransactionSink {
    @Override
    public void apply(HlcTimestamp stamp, List<TableChanges> changes) {
      for (TableChanges one : changes) {
        FedPartition partition = partitions.get(new Table(one.schema(), one.table()));
        if (partition != null) {
          partition.apply(stamp, one.changes());
        }
      }
    }

    @Override
    public void resolved(HlcTimestamp to) {
      resolved.advance(to);
    }

    @Override
    public void lost(String reason) {
      DnSubscription.this.lost(reason);
    }

    @Override
    public void missing(HlcTimestamp stamp, String reason) {
      partitions.values().forEach(partition -> partition.missing(stamp, reason));
    }
  }
}
