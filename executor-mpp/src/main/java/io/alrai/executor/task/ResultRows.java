package io.alrai.executor.task;

import io.alrai.executor.exchange.PlanRows;
import io.alrai.executor.expression.Wide;
import io.alrai.executor.fragment.ValueType;
import io.alrai.executor.memory.Mem;
import io.alrai.executor.memory.QueryMemory;
import io.alrai.executor.vector.PieceBuffer;
import io.alrai.executor.vector.RowLayout;
import io.alrai.executor.vector.StoredPiece;
import java.math.BigDecimal;
import java.util.List;

/**
 * The rows of a finished query, in order. Holds the query's memory until it is closed. One thread
 * at a time.
 */
public final class ResultRows implements PlanRows {
  private final RowLayout layout;
  private final List<StoredPiece> pieces;
  private final PieceBuffer buffer;
  private final long spilledBytes;
  private final Runnable release;
  private int piece = -1;
  private int left;
  private long row;

  /**
   * Rows, before the first. Takes all memory that it needs now, as an error after the first row
   * would be too late.
   *
   * @param memory for pieces on their way from a disk
   * @param spilledBytes what was written to disk for them
   */
  ResultRows(
      RowLayout layout,
      List<? extends StoredPiece> pieces,
      QueryMemory memory,
      long spilledBytes,
      Runnable release) {
    this.layout = layout;
    this.pieces = List.copyOf(pieces);
    this.buffer = new PieceBuffer(memory);
    buffer.room(pieces.stream().mapToLong(StoredPiece::bufferBytes).max().orElse(0));
    this.spilledBytes = spilledBytes;
    this.release = release;
  }

  @Override
  public List<ValueType> columns() {
    return layout.types();
  }

  @Override
  public long rows() {
    return pieces.stream().mapToLong(StoredPiece::rows).sum();
  }

  @Override
  public long spilledBytes() {
    return spilledBytes;
  }

  @Override
  public boolean next() {
    if (--left > 0) {
      row += layout.size();
      return true;
    }
    while (++piece < pieces.size()) {
      if (pieces.get(piece).rows() > 0) {
        row = pieces.get(piece).load(buffer);
        left = pieces.get(piece).rows();
        return true;
      }
    }
    return false;
  }

  @Override
  public boolean isNull(int column) {
    return layout.isNull(row, column);
  }

  @Override
  public long longAt(int column) {
    return Mem.longAt(row + layout.offset(column));
  }

  @Override
  public BigDecimal decimalAt(int column) {
    ValueType type = layout.types().get(column);
    long address = row + layout.offset(column);
    return RowLayout.form(type) == RowLayout.Form.WIDE
        ? Wide.decimal(Mem.longAt(address), Mem.longAt(address + Long.BYTES), type.scale())
        : BigDecimal.valueOf(Mem.longAt(address), type.scale());
  }

  @Override
  public double doubleAt(int column) {
    return Mem.doubleAt(row + layout.offset(column));
  }

  @Override
  public byte[] bytesAt(int column) {
    long address = row + layout.offset(column);
    return Mem.bytes(Mem.longAt(address), Mem.longAt(address + Long.BYTES));
  }

  @Override
  public void close() {
    release.run();
  }
}
