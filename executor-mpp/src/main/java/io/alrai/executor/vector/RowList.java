package io.alrai.executor.vector;

import io.alrai.common.error.AlraiException;
import io.alrai.common.error.ErrorCode;
import io.alrai.executor.memory.Mem;
import io.alrai.executor.memory.QueryMemory;
import java.util.List;

/** Addresses of rows, to be put in order; they too lie in the query's memory. One thread. */
public final class RowList {
  private final long base;
  private final int size;

  private RowList(long base, int size) {
    this.base = base;
    this.size = size;
  }

  /**
   * The rows of all these chunks, one after the other.
   *
   * @throws AlraiException 1041 for more than a list can have, and when the memory is not there
   */
  public static RowList of(List<RowChunks.Chunk> chunks, int rowSize, QueryMemory memory) {
    RowList rows = empty(chunks.stream().mapToLong(RowChunks.Chunk::rows).sum(), memory);
    int at = 0;
    for (RowChunks.Chunk chunk : chunks) {
      for (int i = 0; i < chunk.rows(); i++) {
        rows.set(at++, chunk.address() + (long) i * rowSize);
      }
    }
    return rows;
  }

  private static RowList empty(long size, QueryMemory memory) {
    if (size > Integer.MAX_VALUE) {
      throw new AlraiException(
          ErrorCode.ER_OUT_OF_RESOURCES,
          "Out of memory: the query puts " + size + " rows in order");
    }
    return new RowList(memory.allocate(Math.max(1, size * Long.BYTES)), (int) size);
  }

  /** Another one with the same rows. */
  RowList copy(QueryMemory memory) {
    RowList copy = empty(size, memory);
    Mem.copy(base, copy.base, (long) size * Long.BYTES);
    return copy;
  }

  /** How many there are. */
  public int size() {
    return size;
  }

  /** The address of one. */
  public long at(int place) {
    return Mem.longAt(base + (long) place * Long.BYTES);
  }

  void set(int place, long row) {
    Mem.putLong(base + (long) place * Long.BYTES, row);
  }
}
