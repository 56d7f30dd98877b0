package io.alrai.columnar.version;

import io.alrai.columnar.segment.RowGroupBuilder;
import io.alrai.common.changelog.RowImage;
import io.alrai.common.error.AlraiException;
import io.alrai.common.time.HlcTimestamp;

/**
 * Fills a partition with the rows of a snapshot. Has up to a row group of them on the heap, which
 * can be tens of MB: not to be kept for longer than the loading. Belongs to one thread.
 */
public final class PartitionLoader {
  private final Partition partition;
  private final RowGroupBuilder builder;

  /** For a partition that is being built. */
  public PartitionLoader(Partition partition) {
    this.partition = partition;
    builder = new RowGroupBuilder(partition.shape(), partition.budget());
  }

  /**
   * Takes the next row.
   *
   * @throws AlraiException when the partition failed, for example as it does not fit in the memory
   */
  public void add(RowImage row) {
    if (builder.isFull()) {
      flush();
    }
    builder.add(row);
  }

  private void flush() {
    try {
      partition.load(builder.build());
    } catch (AlraiException e) {
      partition.fail(e.sentence());
      throw e;
    }
  }

  /** That was the last row of the snapshot at this timestamp: it can be read from there on. */
  public void finish(HlcTimestamp at) {
    if (builder.rows() > 0) {
      flush();
    }
    partition.ready(at);
  }
}
