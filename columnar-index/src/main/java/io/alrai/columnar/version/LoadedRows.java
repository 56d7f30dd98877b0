package io.alrai.columnar.version;

import io.alrai.columnar.scan.TableShape;
import io.alrai.columnar.segment.MemoryBudget;
import io.alrai.columnar.segment.RowGroup;
import io.alrai.columnar.segment.RowGroupBuilder;
import io.alrai.common.changelog.RowImage;
import io.alrai.common.error.AlraiException;
import io.alrai.common.time.HlcTimestamp;
import java.util.ArrayList;
import java.util.List;

/**
 * Rows of one snapshot that nobody changes afterwards: row groups without a feed and without a key
 * index. Belongs to one thread; closing it frees what was not finished.
 */
public final class LoadedRows implements AutoCloseable {
  private final TableShape shape;
  private final RowGroupBuilder builder;
  private final List<RowGroup> groups = new ArrayList<>();
  private long rows;

  /** Has no rows yet. */
  public LoadedRows(TableShape shape, MemoryBudget budget) {
    this.shape = shape;
    this.builder = new RowGroupBuilder(shape, budget);
  }

  /**
   * Takes the next row.
   *
   * @throws AlraiException ER_OUT_OF_RESOURCES beyond the budget
   */
  public void add(RowImage row) {
    if (builder.isFull()) {
      groups.add(builder.build());
    }
    builder.add(row);
    rows++;
  }

  /** How many there are. */
  public long rows() {
    return rows;
  }

  /**
   * All rows, as of the timestamp at which they were read. The caller closes it.
   *
   * @throws AlraiException ER_OUT_OF_RESOURCES beyond the budget
   */
  public PartitionSnapshot finish(HlcTimestamp at) {
    if (builder.rows() > 0) {
      groups.add(builder.build());
    }
    List<StoredRows> parts = new ArrayList<>();
    for (RowGroup group : groups) {
      parts.add(new StoredRows.Base(parts.size() + 1, group));
    }
    groups.clear();
    Version version = new Version(parts);
    PartitionSnapshot snapshot = new PartitionSnapshot(shape, version, at);
    version.letGo();
    return snapshot;
  }

  @Override
  public void close() {
    groups.forEach(RowGroup::close);
    groups.clear();
  }
}
