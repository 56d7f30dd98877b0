package io.alrai.executor.spill;

import io.alrai.executor.memory.QueryMemory;
import io.alrai.executor.vector.PieceBuffer;
import java.util.List;

/** Goes through rows on disk one by one. One thread. */
final class RunReader {
  private final List<Extent> run;
  private final PieceBuffer buffer;
  private int piece = -1;
  private int left;
  private int rowBytes;
  private long row;

  /** Before the first row. */
  RunReader(List<Extent> run, QueryMemory memory) {
    this.run = run;
    this.buffer = new PieceBuffer(memory);
  }

  /** Goes to the next row; false after the last. */
  boolean advance() {
    if (--left > 0) {
      row += rowBytes;
      return true;
    }
    if (++piece >= run.size()) {
      return false;
    }
    Extent next = run.get(piece);
    row = next.load(buffer);
    left = next.rows();
    rowBytes = next.rowBytes();
    return true;
  }

  /** The address of the row; good until the next {@link #advance}. */
  long row() {
    return row;
  }
}
