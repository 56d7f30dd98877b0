package io.alrai.executor.operator;

import io.alrai.common.wire.ColumnDefinition;
import java.util.List;

/** Some columns of other rows, in an order of their own, where others are NULL. One thread. */
final class PickedColumns implements RowSource {
  private final RowSource rows;
  private final List<Integer> missing;
  private final int[] picked;
  private final List<ColumnDefinition> columns;
  private final GrowingBytes payload = new GrowingBytes(256);
  private final Row row;

  PickedColumns(RowSource rows, List<Integer> missing, List<Integer> picked) {
    this.rows = rows;
    this.missing = missing;
    this.picked = picked.stream().mapToInt(Integer::intValue).toArray();
    this.columns = picked.stream().map(rows.columns()::get).toList();
    this.row = new Row(columns.size());
  }

  @Override
  public List<ColumnDefinition> columns() {
    return columns;
  }

  @Override
  public boolean advance() {
    do {
      if (!rows.advance()) {
        return false;
      }
    } while (!missing.stream().allMatch(rows.row()::isNull));
    Row whole = rows.row();
    payload.clear();
    for (int column : picked) {
      int start = whole.columnStart(column);
      payload.write(whole.bytes(), start, whole.columnEnd(column) - start);
    }
    row.set(payload.array(), 0, payload.length());
    return true;
  }

  @Override
  public Row row() {
    return row;
  }

  @Override
  public void close() {
    rows.close();
  }
}
