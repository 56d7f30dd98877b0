package io.alrai.executor.task;

import io.alrai.executor.timeslice.SliceScheduler;
import io.alrai.executor.vector.Pace;
import io.alrai.executor.vector.PieceBuffer;
import io.alrai.executor.vector.StoredPiece;
import java.util.List;
import java.util.function.LongConsumer;

/** Passes stored rows on as they come, those between offset and offset + count only. */
final class RowCut implements SliceScheduler.Task {
  /** No order, and no limit. */
  static final Stage.Outcome.Order ALL = new Stage.Outcome.Order(List.of(), 0, Long.MAX_VALUE);

  private final List<? extends StoredPiece> pieces;
  private final int rowBytes;
  private final PieceBuffer buffer;
  private final Pace pace;
  private final LongConsumer rows;
  private int piece;
  private long skip;
  private long left;

  /**
   * A cut.
   *
   * @param order has offset and count
   * @param rows takes the address of each row
   */
  RowCut(
      List<? extends StoredPiece> pieces,
      int rowBytes,
      PieceBuffer buffer,
      Pace pace,
      Stage.Outcome.Order order,
      LongConsumer rows) {
    this.pieces = pieces;
    this.rowBytes = rowBytes;
    this.buffer = buffer;
    this.pace = pace;
    this.skip = order.offset();
    this.left = order.count();
    this.rows = rows;
  }

  @Override
  public SliceScheduler.Turn run(long deadlineNanos) {
    pace.begin(deadlineNanos);
    pace.check();
    while (left > 0 && piece < pieces.size()) {
      pass(pieces.get(piece++));
      if (!pace.goesOn()) {
        return SliceScheduler.Turn.YIELDED;
      }
    }
    return SliceScheduler.Turn.DONE;
  }

  private void pass(StoredPiece some) {
    if (some.rows() <= skip) {
      skip -= some.rows();
      return;
    }
    long begin = skip;
    skip = 0;
    long end = Math.min(some.rows(), left > some.rows() ? some.rows() : begin + left);
    left -= end - begin;
    long address = some.load(buffer);
    for (long i = begin; i < end; i++) {
      rows.accept(address + i * rowBytes);
    }
  }
}
