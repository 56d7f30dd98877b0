package io.alrai.microbench;

import io.alrai.common.wire.ColumnDefinition;
import io.alrai.executor.operator.Row;
import io.alrai.executor.operator.RowSource;
import java.util.List;

/** Rows that a shard has sent already. One thread. */
final class ShardResult implements RowSource {
  private final List<ColumnDefinition> columns;
  private final List<byte[]> rows;
  private final Row row;
  private int next;

  ShardResult(List<ColumnDefinition> columns, List<byte[]> rows) {
    this.columns = columns;
    this.rows = rows;
    this.row = new Row(columns.size());
  }

  @Override
  public List<ColumnDefinition> columns() {
    return columns;
  }

  @Override
  public boolean advance() {
    if (next == rows.size()) {
      return false;
    }
    byte[] payload = rows.get(next++);
    row.set(payload, 0, payload.length);
    return true;
  }

  @Override
  public Row row() {
    return row;
  }

  @Override
  public void close() {}
}
