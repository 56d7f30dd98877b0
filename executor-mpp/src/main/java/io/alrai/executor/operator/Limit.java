package io.alrai.executor.operator;

import io.alrai.common.wire.ColumnDefinition;
import java.util.List;

/** Skips rows, then passes a number of them on and asks for no more. */
final class Limit implements RowSource {
  private final RowSource rows;
  private long toSkip;
  private long left;

  Limit(RowSource rows, long offset, long count) {
    this.rows = rows;
    this.toSkip = offset;
    this.left = count;
  }

  @Override
  public List<ColumnDefinition> columns() {
    return rows.columns();
  }

  @Override
  public boolean advance() {
    if (left == 0) {
      return false;
    }
    for (; toSkip > 0; toSkip--) {
      if (!rows.advance()) {
        left = 0;
        return false;
      }
    }
    left--;
    return rows.advance();
  }

  @Override
  public Row row() {
    return rows.row();
  }

  @Override
  public void close() {
    rows.close();
  }
}
