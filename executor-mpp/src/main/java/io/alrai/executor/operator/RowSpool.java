package io.alrai.executor.operator;

import io.alrai.common.wire.ColumnDefinition;
import java.util.List;

/**
 * Rows that are read to their end before the first is used: in memory up to the budget, else in a
 * temporary file. Use: {@link #fill}, then {@link #advance} until false, {@link #close}. One
 * thread.
 */
public final class RowSpool implements AutoCloseable {
  private static final byte[] NO_KEY = new byte[0];

  private final ExternalSorter rows;
  private List<ColumnDefinition> columns = List.of();
  private Row row = new Row(0);

  /** A spool without rows. */
  public RowSpool(OperatorBudget budget) {
    rows = new ExternalSorter(budget);
  }

  /** Reads all rows of a source; does not close it. */
  public void fill(RowSource source) {
    columns = source.columns();
    row = new Row(columns.size());
    while (source.advance()) {
      rows.add(NO_KEY, source.row().copy());
    }
    rows.sort();
  }

  /** The rows' columns. */
  public List<ColumnDefinition> columns() {
    return columns;
  }

  /** Moves to the next row, in the order of their coming; false at the end. */
  public boolean advance() {
    if (!rows.advance()) {
      return false;
    }
    byte[] payload = rows.row();
    row.set(payload, 0, payload.length);
    return true;
  }

  /** The current row; valid until the next {@link #advance}. */
  public Row row() {
    return row;
  }

  @Override
  public void close() {
    rows.close();
  }
}
