package io.alrai.cn.write;

import io.alrai.cn.text.WholeNumbers;
import io.alrai.executor.fragment.SlotValues;
import java.io.ByteArrayOutputStream;
import java.math.RoundingMode;
import java.util.OptionalLong;

/**
 * A row that is to be inserted: its cells as slots. A cell that only a mysqld can tell shows as
 * {@link Kind#FLOAT}, which is exact for no key. One thread.
 */
interface InsertCells extends SlotValues {
  /** Puts an id into a cell. */
  void id(int cell, long made);

  /** Appends {@code (c1,c2,..)}. */
  void appendRow(ByteArrayOutputStream out);

  /** Whether the cell has no value of its own but its column's default. */
  boolean isDefault(int cell);

  /** What a mysqld makes of the cell in a column of whole numbers; empty where only it can tell. */
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
