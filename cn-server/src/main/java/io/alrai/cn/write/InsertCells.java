package io.alrai.cn.write;

import io.alrai.cn.text.WholeNumbers;
import io.alrai.executor.fragment.SlotValues;
import java.io.ByteArrayOutputStream;
import java.math.RoundingMode;
import java.util.OptionalLong;

/**
 * A row that is to be inserted: its cells as slots. A cell that only a mysqld can evaluate appears
 * as {@link Kind#FLOAT}, which no key takes as exact. One thread.
 */
interface InsertCells extends SlotValues {
  /** Puts an id into a cell. */
  void id(int cell, long made);

  /** Appends {@code (c1,c2,..)}. */
  void appendRow(ByteArrayOutputStream out);

  /** Whether the cell has its column's default instead of a value. */
  boolean isDefault(int cell);

  /** What a mysqld makes of the cell in a column of whole numbers; empty where only it knows. */
  default OptionalLong wholeNumber(int cell) {
    return switch (kind(cell)) {
      case INTEGER -> fitsLong(cell) ? OptionalLong.of(longValue(cell)) : OptionalLong.empty();
      case STRING, DECIMAL -> WholeNumbers.of(bytes(cell), RoundingMode.HALF_UP);
      case FLOAT -> WholeNumbers.of(bytes(cell), RoundingMode.HALF_EVEN);
      case NULL, BINARY, TEMPORAL -> OptionalLong.empty();
    };
  }

  @Override
  default void appendSql(int cell, ByteArrayOutputStream out) {
    throw new UnsupportedOperationException("cells are written as a row");
  }
}
