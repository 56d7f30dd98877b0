package io.alrai.executor.spill;

import io.alrai.executor.memory.Mem;
import io.alrai.executor.memory.QueryMemory;
import java.util.ArrayList;
import java.util.List;

/** Gathers rows one by one and writes them piece by piece. One thread. */
public final class RowWriter {
  private final SpillFile file;
  private final int rowBytes;
  private final int rowsOfPiece;
  private final QueryMemory memory;
  private final List<Extent> written = new ArrayList<>();
  private long buffer;
  private int rows;

  /**
   * A writer without rows; memory is taken with the first one.
   *
   * @param pieceBytes of a piece; of at least one row
   */
  public RowWriter(SpillFile file, int rowBytes, long pieceBytes, QueryMemory memory) {
    this.file = file;
    this.rowBytes = rowBytes;
    this.rowsOfPiece = (int) Math.max(1, pieceBytes / rowBytes);
    this.memory = memory;
  }

  /** Copies a row. */
  public void add(long row) {
    if (buffer == 0) {
      buffer = memory.allocate((long) rowsOfPiece * rowBytes);
    }
    Mem.copy(row, buffer + (long) rows * rowBytes, rowBytes);
    if (++rows == rowsOfPiece) {
      flush();
    }
  }

  /** Writes what there is. */
  public void flush() {
    if (rows > 0) {
      written.add(file.write(buffer, rows, rowBytes));
      rows = 0;
    }
  }

  /** Writes what is left; all pieces since the last call, in the order of their rows. */
  public List<Extent> finish() {
    flush();
    List<Extent> all = List.copyOf(written);
    written.clear();
    return all;
  }
}
