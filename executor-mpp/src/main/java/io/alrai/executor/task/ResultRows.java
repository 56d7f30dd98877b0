package io.alrai.executor.task;

import io.alrai.executor.expression.Wide;
import io.alrai.executor.fragment.ValueType;
import io.alrai.executor.vector.Mem;
import io.alrai.executor.vector.RowChunks;
import io.alrai.executor.vector.RowLayout;
import java.math.BigDecimal;
import java.util.List;

/**
 * The rows of a finished query, in order. Holds the query's memory until it is closed. One thread
 * at a time.
 */
public final class ResultRows implements AutoCloseable {
  private final RowLayout layout;
  private final List<RowChunks.Chunk> chunks;
  private final Runnable release;
  private int chunk;
  private int inChunk = -1;
  private long row;

  /** Before the first row. */
  ResultRows(RowLayout layout, List<RowChunks.Chunk> chunks, Runnable release) {
    this.layout = layout;
    this.chunks = List.copyOf(chunks);
    this.release = release;
  }

  /** The columns' types. */
  public List<ValueType> columns() {
    return layout.types();
  }

  /** How many rows there are. */
  public long rows() {
    return chunks.stream().mapToLong(RowChunks.Chunk::rows).sum();
  }

  /** Goes to the next row; false behind the last. */
  public boolean next() {
    inChunk++;
    while (chunk < chunks.size() && inChunk >= chunks.get(chunk).rows()) {
      chunk++;
      inChunk = 0;
    }
    if (chunk >= chunks.size()) {
      return false;
    }
    row = chunks.get(chunk).address() + (long) inChunk * layout.size();
    return true;
  }

  /** Whether a column of this row is NULL. */
  public boolean isNull(int column) {
    return layout.isNull(row, column);
  }

  /** BIGINT, UNSIGNED (the same bits), days of a DATE, microseconds of a DATETIME. */
  public long longAt(int column) {
    return Mem.longAt(row + layout.offset(column));
  }

  /** A DECIMAL, with its type's scale. */
  public BigDecimal decimalAt(int column) {
    ValueType type = layout.types().get(column);
    long address = row + layout.offset(column);
    return RowLayout.form(type) == RowLayout.Form.WIDE
        ? Wide.decimal(Mem.longAt(address), Mem.longAt(address + Long.BYTES), type.scale())
        : BigDecimal.valueOf(Mem.longAt(address), type.scale());
  }

  /** A DOUBLE. */
  public double doubleAt(int column) {
    return Mem.doubleAt(row + layout.offset(column));
  }

  /** The bytes of a STRING, UTF-8. */
  public byte[] bytesAt(int column) {
    long address = row + layout.offset(column);
    return Mem.bytes(Mem.longAt(address), Mem.longAt(address + Long.BYTES));
  }

  @Override
  public void close() {
    release.run();
  }
}
