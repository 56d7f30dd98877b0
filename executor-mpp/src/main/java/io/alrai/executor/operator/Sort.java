package io.alrai.executor.operator;

import io.alrai.common.wire.ColumnDefinition;
import io.alrai.executor.fragment.MergePlan.SortKey;
import java.util.List;

/** Orders rows that come in any order; equal ones keep theirs. */
final class Sort implements RowSource {
  private final RowSource rows;
  private final List<SortKey> keys;
  private final ExternalSorter sorter;
  private final Row row;
  private boolean sorted;

  Sort(RowSource rows, List<SortKey> keys, OperatorBudget budget) {
    this.rows = rows;
    this.keys = List.copyOf(keys);
    this.sorter = new ExternalSorter(budget);
    this.row = new Row(rows.columns().size());
  }

  @Override
  public List<ColumnDefinition> columns() {
    return rows.columns();
  }

  @Override
  public boolean advance() {
    if (!sorted) {
      sorted = true;
      KeyEncoder encoder = KeyEncoder.ofSort(columns(), keys);
      GrowingBytes key = new GrowingBytes(64);
      while (rows.advance()) {
        key.clear();
        encoder.encode(rows.row(), key);
        sorter.add(key.copy(), rows.row().copy());
      }
      sorter.sort();
    }
    if (!sorter.advance()) {
      return false;
    }
    byte[] payload = sorter.row();
    row.set(payload, 0, payload.length);
    return true;
  }

  @Override
  public Row row() {
    return row;
  }

  @Override
  public void close() {
    try (rows;
        sorter) {
      sorted = true;
    }
  }
}
