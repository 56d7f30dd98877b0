package io.alrai.executor.operator;

import io.alrai.common.wire.ColumnDefinition;
import java.util.List;

/** Cuts hidden columns off: a row keeps its first columns. Nothing is copied. */
final class CutColumns implements RowSource {
  private final RowSource rows;
  private final int visible;
  private final Row cut;

  CutColumns(RowSource rows, int visible) {
    this.rows = rows;
    this.visible = visible;
    this.cut = new Row(visible);
  }

  @Override
  public List<ColumnDefinition> columns() {
    return rows.columns().subList(0, visible);
  }

  @Override
  public boolean advance() {
    if (!rows.advance()) {
      return false;
    }
    Row whole = rows.row();
    cut.set(whole.bytes(), whole.start(), whole.columnEnd(visible - 1));
    return true;
  }

  @Override
  public Row row() {
    return cut;
  }

  @Override
  public void close() {
    rows.close();
  }
}
