package io.alrai.executor.spill;

import io.alrai.executor.vector.PieceBuffer;
import io.alrai.executor.vector.StoredPiece;

/** Rows beside each other in a file. */
public record Extent(SpillFile file, long offset, int rows, int rowBytes) implements StoredPiece {
  @Override
  public long bufferBytes() {
    return (long) rows * rowBytes;
  }

  @Override
  public long load(PieceBuffer buffer) {
    long address = buffer.room(bufferBytes());
    file.read(offset, address, bufferBytes());
    return address;
  }
}
