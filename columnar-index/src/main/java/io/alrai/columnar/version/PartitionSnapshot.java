package io.alrai.columnar.version;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import io.alrai.columnar.scan.ColumnTable;
import io.alrai.columnar.scan.TableScan;
import io.alrai.columnar.scan.TableShape;
import io.alrai.columnar.scan.ZoneFilter;
import io.alrai.common.time.HlcTimestamp;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;

/**
 * A partition as of one timestamp, to be scanned as often as wanted until it is closed, whatever
 * happens to the partition. Thread-safe.
 */
public final class PartitionSnapshot implements ColumnTable, AutoCloseable {
  private final TableShape shape;
  private final Version version;
  private final HlcTimestamp at;
  private final List<SeenPart> parts = new ArrayList<>();

  @GuardedBy("this")
  private boolean closed;

  /** Under the partition's lock. */
  PartitionSnapshot(TableShape shape, Version version, HlcTimestamp at) {
    this.shape = shape;
    this.version = version;
    this.at = at;
    version.hold();
    for (StoredRows part : version.parts()) {
      int rows = part.rows();
      if (rows > 0) {
        parts.add(new SeenPart(part, rows, part.sight(rows)));
      }
    }
  }

  @Override
  public TableShape shape() {
    return shape;
  }

  /** What it shows. */
  public HlcTimestamp at() {
    return at;
  }

  /**
   * Opens a scan.
   *
   * @throws IllegalStateException when this is closed
   */
  public synchronized TableScan scan(List<Integer> ordinals, ZoneFilter filter) {
    if (closed) {
      throw new IllegalStateException("the snapshot at " + at + " is closed");
    }
    return new PartitionScan(version, parts, at, ordinals, filter);
  }

  /**
   * Returns itself, at once.
   *
   * @throws IllegalArgumentException for another timestamp than its own
   */
  @Override
  public CompletableFuture<TableScan> scan(
      HlcTimestamp wanted, List<Integer> ordinals, ZoneFilter filter) {
    if (!wanted.equals(at)) {
      throw new IllegalArgumentException("a snapshot at " + at + " has no rows of " + wanted);
    }
    return CompletableFuture.completedFuture(scan(ordinals, filter));
  }

  /** Lets go of everything that no scan holds. Repeating it is harmless. */
  @Override
  public synchronized void close() {
    if (!closed) {
      closed = true;
      version.letGo();
    }
  }
}
