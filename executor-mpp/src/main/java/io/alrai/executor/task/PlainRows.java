package io.alrai.executor.task;

import io.alrai.executor.spill.Extent;
import io.alrai.executor.spill.SpillFile;
import io.alrai.executor.vector.RowChunks;
import io.alrai.executor.vector.StoredPiece;
import java.util.ArrayList;
import java.util.List;

/** Rows that go to disk as they are, those of each worker in their order. */
final class PlainRows implements SpillSink {
  private final SpillFile file;
  private final int rowBytes;
  private final int rowsOfPiece;
  private final List<List<StoredPiece>> written = new ArrayList<>();

  PlainRows(SpillFile file, int rowBytes, long pieceBytes, int workers) {
    this.file = file;
    this.rowBytes = rowBytes;
    this.rowsOfPiece = (int) Math.max(1, pieceBytes / rowBytes);
    for (int i = 0; i < workers; i++) {
      written.add(new ArrayList<>());
    }
  }

  @Override
  public void take(int worker, List<RowChunks.Chunk> rows) {
    for (RowChunks.Chunk chunk : rows) {
      for (int at = 0; at < chunk.rows(); at += rowsOfPiece) {
        int some = Math.min(rowsOfPiece, chunk.rows() - at);
        Extent piece = file.write(chunk.address() + (long) at * rowBytes, some, rowBytes);
        written.get(worker).add(piece);
      }
    }
  }

  /** What one worker has put there. */
  List<StoredPiece> of(int worker) {
    return List.copyOf(written.get(worker));
  }
}
