package io.alrai.executor.operator;

import io.alrai.common.wire.ColumnDefinition;
import io.alrai.executor.fragment.MergePlan.RowKey;
import io.alrai.executor.fragment.MergePlan.SortKey;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Passes the first row of each key on. While the keys fit the budget rows pass as they come;
 * afterwards new rows are collected, made distinct by an external sort of their keys, and put back
 * into the input's order by another.
 */
final class Distinct implements RowSource {
  private final RowSource rows;
  private final List<RowKey> keys;
  private final List<SortKey> inputOrder;
  private final OperatorBudget budget;
  private final KeyTable<Boolean> seen = new KeyTable<>();
  private final GrowingBytes key = new GrowingBytes(64);
  private long heldBytes;
  private KeyEncoder encoder = KeyEncoder.NONE;
  private @Nullable RowSource overflow;

  /**
   * Distinct rows.
   *
   * @param inputOrder how the input is ordered; empty where it is not
   */
  Distinct(RowSource rows, List<RowKey> keys, List<SortKey> inputOrder, OperatorBudget budget) {
    this.rows = rows;
    this.keys = List.copyOf(keys);
    this.inputOrder = List.copyOf(inputOrder);
    this.budget = budget;
  }

  @Override
  public List<ColumnDefinition> columns() {
    return rows.columns();
  }

  @Override
  public boolean advance() {
    if (overflow != null) {
      return overflow.advance();
    }
    if (encoder == KeyEncoder.NONE) {
      encoder = KeyEncoder.ofKeys(columns(), keys);
    }
    while (nextUnseen()) {
      if (heldBytes <= budget.heapBytes()) {
        seen.add(key, Boolean.TRUE);
        heldBytes += key.length() + KeyTable.ENTRY_OVERHEAD;
        return true;
      }
      overflow = distinctRest();
      return overflow.advance();
    }
    return false;
  }

  private boolean nextUnseen() {
    while (rows.advance()) {
      key.clear();
      encoder.encode(rows.row(), key);
      if (seen.find(key) == null) {
        return true;
      }
    }
    return false;
  }

  /** The current row and the rest of the input. */
  private RowSource distinctRest() {
    ExternalSorter sorter = new ExternalSorter(budget);
    do {
      sorter.add(key.copy(), rows.row().copy());
    } while (nextUnseen());
    seen.clear();
    sorter.sort();
    RowSource distinct = new SortedDistinct(columns(), sorter);
    return inputOrder.isEmpty() ? distinct : new Sort(distinct, inputOrder, budget);
  }

  @Override
  public Row row() {
    return overflow == null ? rows.row() : overflow.row();
  }

  @Override
  public void close() {
    try (rows) {
      if (overflow != null) {
        overflow.close();
      }
    }
  }

  /** The first of the sorter's rows for each key. */
  private static final class SortedDistinct implements RowSource {
    private final List<ColumnDefinition> columns;
    private final ExternalSorter sorter;
    private final Row row;
    private byte[] last = new byte[0];

    SortedDistinct(List<ColumnDefinition> columns, ExternalSorter sorter) {
      this.columns = columns;
      this.sorter = sorter;
      this.row = new Row(columns.size());
    }

    @Override
    public List<ColumnDefinition> columns() {
      return columns;
    }

    @Override
    public boolean advance() {
      while (sorter.advance()) {
        if (!Arrays.equals(last, sorter.key())) {
          last = sorter.key();
          row.set(sorter.row(), 0, sorter.row().length);
          return true;
        }
      }
      return false;
    }

    @Override
    public Row row() {
      return row;
    }

    @Override
    public void close() {
      sorter.close();
    }
  }
}
