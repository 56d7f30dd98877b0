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

  /** The rows by the heads of their keys. */
  private final KeyTable<First> seen = new KeyTable<>();

  /** Long keys whose heads did not tell them apart. */
  private final KeyTable<Boolean> whole = new KeyTable<>();

  private final SortedKey head = new SortedKey();
  private final GrowingBytes key = new GrowingBytes(64);
  private long heldBytes;
  private KeyEncoder encoder = KeyEncoder.NONE;
  private @Nullable RowSource overflow;

  /** The first row of a head. */
  private static final class First {
    /** Until its whole key is in the table; null also where the head is the whole key. */
    private byte @Nullable [] row;
  }

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
        remember();
        return true;
      }
      overflow = distinctRest();
      return overflow.advance();
    }
    return false;
  }

  private boolean nextUnseen() {
    while (rows.advance()) {
      head.head(encoder, rows.row());
      First first = seen.find(head.bytes());
      if (first == null || !head.isWhole() && differs(first)) {
        return true;
      }
    }
    return false;
  }

  /** Whether no row with the same head has the current row's key. */
  private boolean differs(First first) {
    byte[] before = first.row;
    if (before != null) {
      first.row = null;
      Row row = new Row(columns().size());
      row.set(before, 0, before.length);
      addWhole(row);
    }
    return whole.find(keyOf(rows.row())) == null;
  }

  private GrowingBytes keyOf(Row row) {
    key.clear();
    encoder.encode(row, key);
    return key;
  }

  private void addWhole(Row row) {
    whole.add(keyOf(row), Boolean.TRUE);
    heldBytes += key.length() + KeyTable.ENTRY_OVERHEAD;
  }

  /** Remembers the current row, which was not seen before. */
  private void remember() {
    if (seen.find(head.bytes()) != null) {
      addWhole(rows.row());
      return;
    }
    First first = new First();
    if (!head.isWhole()) {
      first.row = rows.row().copy();
      heldBytes += first.row.length;
    }
    seen.add(head.bytes(), first);
    heldBytes += head.bytes().length() + KeyTable.ENTRY_OVERHEAD;
  }

  /** The current row and the rest of the input. */
  private RowSource distinctRest() {
    ExternalSorter sorter = new ExternalSorter(budget);
    do {
      sorter.add(keyOf(rows.row()).copy(), rows.row().copy());
    } while (nextUnseen());
    seen.clear();
    whole.clear();
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
