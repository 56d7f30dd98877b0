package io.alrai.cn.select;

import io.alrai.cn.settings.Diagnostics.Condition;
import io.alrai.common.wire.ColumnDefinition;
import io.alrai.executor.operator.Row;
import io.alrai.executor.operator.RowSource;
import java.util.List;

/** SQL_CALC_FOUND_ROWS: some of the rows, and the number of all. One virtual thread. */
final class CountedRows implements RowSource {
  /** In mysqld's words. */
  static final Condition DEPRECATED =
      new Condition(
          "Warning",
          1287,
          "SQL_CALC_FOUND_ROWS is deprecated and will be removed in a future release. Consider"
              + " using two separate queries instead.");

  private final RowSource rows;
  private final long end;
  private long next;
  private final long first;

  /**
   * A part of some rows.
   *
   * @param offset how many are left out before the first
   * @param count how many there are at most
   */
  CountedRows(RowSource rows, long offset, long count) {
    this.rows = rows;
    this.first = offset;
    this.end = count > Long.MAX_VALUE - offset ? Long.MAX_VALUE : offset + count;
  }

  @Override
  public List<ColumnDefinition> columns() {
    return rows.columns();
  }

  @Override
  public boolean advance() {
    while (next < end) {
      if (!rows.advance()) {
        return false;
      }
      next++;
      if (next > first) {
        return true;
      }
    }
    return false;
  }

  @Override
  public Row row() {
    return rows.row();
  }

  /** Reads the rest; returns how many rows there are without the limit. */
  long all() {
    while (rows.advance()) {
      next++;
    }
    return next;
  }

  @Override
  public void close() {
    rows.close();
  }
}
