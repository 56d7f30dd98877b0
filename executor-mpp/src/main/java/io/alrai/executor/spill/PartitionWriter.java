package io.alrai.executor.spill;

import io.alrai.executor.memory.Mem;
import io.alrai.executor.memory.QueryMemory;
import io.alrai.executor.vector.RowChunks;
import io.alrai.executor.vector.RowLayout;
import java.util.ArrayList;
import java.util.List;

/**
 * Cuts a partition's rows by the next bits of their hashes, one partition after the other. One
 * thread.
 */
public final class PartitionWriter {
  private Partition whole = Partition.whole();
  private final int rowBytes;
  private final List<RowWriter> parts = new ArrayList<>();
  private boolean empty = true;

  /**
   * Begins with all rows there are.
   *
   * @param pieceBytes memory for each part, taken with its first row
   */
  public PartitionWriter(SpillFile file, int rowBytes, long pieceBytes, QueryMemory memory) {
    this.rowBytes = rowBytes;
    for (int i = 0; i < Partition.FAN; i++) {
      parts.add(new RowWriter(file, rowBytes, pieceBytes, memory));
    }
  }

  /** The next rows are those of a partition that can be cut. */
  public void begin(Partition partition) {
    whole = partition;
    empty = true;
  }

  /** Copies rows. */
  public void add(List<RowChunks.Chunk> rows) {
    rows.forEach(chunk -> add(chunk.address(), chunk.rows()));
  }

  /** Copies rows that lie beside each other. */
  public void add(long address, int rows) {
    empty = empty && rows == 0;
    for (int i = 0; i < rows; i++) {
      long row = address + (long) i * rowBytes;
      parts.get(Partition.part(Mem.longAt(row + RowLayout.HASH), whole.level())).add(row);
    }
  }

  /** Whether it has had no rows. */
  public boolean isEmpty() {
    return empty;
  }

  /** Writes what is left. */
  public void flush() {
    parts.forEach(RowWriter::flush);
  }

  /** Writes what is left; the parts of all these writers together, those that have rows. */
  public static List<Partition> finish(List<PartitionWriter> writers) {
    List<Partition> all = new ArrayList<>();
    for (int i = 0; i < Partition.FAN; i++) {
      List<Extent> rows = new ArrayList<>();
      for (PartitionWriter writer : writers) {
        rows.addAll(writer.parts.get(i).finish());
      }
      if (!rows.isEmpty()) {
        all.add(writers.getFirst().whole.part(i, rows));
      }
    }
    return all;
  }
}
