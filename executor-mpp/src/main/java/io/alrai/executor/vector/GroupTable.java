package io.alrai.executor.vector;

import io.alrai.executor.memory.Mem;
import io.alrai.executor.memory.QueryMemory;

/**
 * The groups of one worker: rows whose first columns are the keys. Where its memory is bounded and
 * full, somebody else takes all groups and it begins anew: a group may come several times then.
 */
public final class GroupTable {
  private static final int FIRST_BUCKETS = 1024;

  private final RowChunks rows;
  private final QueryMemory memory;
  private long buckets;
  private long mask;
  private long count;
  private long single;

  /** No groups yet. */
  public GroupTable(RowLayout layout, QueryMemory memory) {
    this.rows = new RowChunks(layout, memory);
    this.memory = memory;
    this.buckets = memory.allocate(FIRST_BUCKETS * 8L);
    this.mask = (FIRST_BUCKETS - 1) * 8L;
  }

  /**
   * No groups yet.
   *
   * @param mostBytes what groups and buckets may take
   * @param overflow takes the groups when they have that
   */
  public GroupTable(
      RowLayout layout, QueryMemory memory, long mostBytes, RowChunks.Overflow overflow) {
    long groups = Math.max(FIRST_BUCKETS, mostBytes / (layout.size() + 2L * Long.BYTES));
    long bytes = Long.highestOneBit(groups) * 2 * Long.BYTES;
    this.memory = memory;
    this.buckets = memory.allocate(bytes);
    this.mask = bytes - Long.BYTES;
    this.rows =
        new RowChunks(
            layout,
            memory,
            mostBytes - bytes,
            full -> {
              overflow.take(full);
              restart();
              count = 1; // the one that is on its way
            });
  }

  /** Forgets all groups. */
  public void restart() {
    rows.restart();
    Mem.clear(buckets, mask + Long.BYTES);
    count = 0;
    single = 0;
  }

  /** The first row of a hash's bucket, or 0. */
  public long head(long hash) {
    return Mem.longAt(buckets + (hash & mask));
  }

  /** A new group: zeros, to be filled by the caller. */
  public long insert(long hash) {
    if (++count * 8 > mask) {
      grow();
    }
    long row = rows.append();
    Mem.putLong(row + RowLayout.HASH, hash);
    link(row, hash);
    return row;
  }

  private void link(long row, long hash) {
    long bucket = buckets + (hash & mask);
    Mem.putLong(row, Mem.longAt(bucket));
    Mem.putLong(bucket, row);
  }

  private void grow() {
    long bytes = (mask + 8) * 4;
    buckets = memory.allocate(bytes);
    mask = bytes - 8;
    for (RowChunks.Chunk chunk : rows.chunks()) {
      long row = chunk.address();
      for (int i = 0; i < chunk.rows(); i++, row += rows.layout().size()) {
        link(row, Mem.longAt(row + RowLayout.HASH));
      }
    }
  }

  /** The one group of an aggregation without keys, or 0 before it has one. */
  public long single() {
    return single;
  }

  /** Makes the one group of an aggregation without keys. */
  public long insertSingle() {
    single = rows.append();
    return single;
  }

  /** The groups. */
  public RowChunks rows() {
    return rows;
  }
}
