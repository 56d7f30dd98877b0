package io.alrai.cn.execute;

import io.alrai.executor.fragment.SlotValues;
import java.io.ByteArrayOutputStream;

/**
 * A row that is to be inserted: its cells as slots. A cell that only a mysqld can tell shows as
 * {@link Kind#FLOAT}, which is exact for no key. One thread.
 */
interface InsertCells extends SlotValues {
  /** Puts an id into a cell. */
  void id(int cell, long made);

  /** Appends {@code (c1,c2,..)}. */
  void appendRow(ByteArrayOutputStream out);

  /** Whether the cell is the number 0. */
  default boolean isZero(int cell) {
    return kind(cell) == Kind.INTEGER && fitsLong(cell) && longValue(cell) == 0;
  }

  @Override
  default void appendSql(int cell, ByteArrayOutputStream out) {
    throw new UnsupportedOperationException("cells are written as a row");
  }
}
