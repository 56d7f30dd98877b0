package io.alrai.cn.columnar;

import io.alrai.columnar.scan.ColumnTable;
import io.alrai.columnar.serve.ColumnIndex;
import io.alrai.columnar.serve.IndexSnapshot;
import io.alrai.columnar.version.PartitionFigures;
import io.alrai.columnar.version.PartitionSnapshot;
import io.alrai.columnar.version.PartitionState;
import io.alrai.common.error.AlraiException;
import io.alrai.common.error.ErrorCode;
import io.alrai.common.time.HlcTimestamp;
import java.util.List;
import java.util.concurrent.CompletableFuture;

/**
 * Rows of a table that has no column index, read for one statement: in columns, as an index of that
 * moment. Closed by the statement. Thread-safe.
 */
public final class FetchedTable implements ColumnIndex, AutoCloseable {
  private final String name;
  private final PartitionSnapshot snapshot;
  private final long rows;

  FetchedTable(String name, PartitionSnapshot snapshot, long rows) {
    this.name = name;
    this.snapshot = snapshot;
    this.rows = rows;
  }

  @Override
  public String name() {
    return name;
  }

  @Override
  public PartitionFigures figures() {
    return new PartitionFigures(new PartitionState.Ready(), rows, 0, 0);
  }

  @Override
  public CompletableFuture<IndexSnapshot> openAt(HlcTimestamp at) {
    if (!at.equals(snapshot.at())) {
      return CompletableFuture.failedFuture(
          new AlraiException(
              ErrorCode.ALRAI_SNAPSHOT_TOO_OLD,
              "the rows of " + name + " were read at " + snapshot.at() + ", not at " + at));
    }
    return CompletableFuture.completedFuture(new Opened(snapshot));
  }

  /** Lets go of everything that no scan holds. Repeating it is harmless. */
  @Override
  public void close() {
    snapshot.close();
  }

  private record Opened(PartitionSnapshot snapshot) implements IndexSnapshot {
    @Override
    public HlcTimestamp at() {
      return snapshot.at();
    }

    @Override
    public List<ColumnTable> partitions() {
      return List.of(snapshot);
    }

    @Override
    public void close() {
      snapshot.close();
    }
  }
}
