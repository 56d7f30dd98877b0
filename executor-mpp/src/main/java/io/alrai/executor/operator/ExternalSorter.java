package io.alrai.executor.operator;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Orders rows by key bytes; equal keys keep the order in which they came. What does not fit the
 * budget goes to files as sorted runs, which are merged when read. Use: {@link #add} each, {@link
 * #sort}, then {@link #advance} until false, {@link #close}. One thread.
 */
final class ExternalSorter implements AutoCloseable {
  private static final int ENTRY_OVERHEAD = 88;

  private final OperatorBudget budget;
  private final List<SortedRun> runs = new ArrayList<>();
  private List<KeyedRow> entries = new ArrayList<>();
  private long heldBytes;
  private int position = -1;
  private @Nullable RunMerge merge;

  ExternalSorter(OperatorBudget budget) {
    this.budget = budget;
  }

  boolean isEmpty() {
    return entries.isEmpty() && runs.isEmpty();
  }

  /** Takes a row; both arrays belong to the sorter now. */
  void add(byte[] key, byte[] row) {
    entries.add(new KeyedRow(key, row));
    heldBytes += key.length + row.length + ENTRY_OVERHEAD;
    if (heldBytes > budget.heapBytes()) {
      spill();
    }
  }

  /** Ends the input. */
  void sort() {
    if (runs.isEmpty()) {
      order();
    } else {
      spill();
      merge = new RunMerge(runs);
    }
  }

  /** Moves to the next row in order. */
  boolean advance() {
    if (merge != null) {
      return merge.advance();
    }
    if (position >= 0 && position < entries.size()) {
      entries.set(position, KeyedRow.NONE);
    }
    return ++position < entries.size();
  }

  /** The current key; not to be changed. */
  byte[] key() {
    return current().key();
  }

  /** The current row's payload; not to be changed. */
  byte[] row() {
    return current().row();
  }

  private KeyedRow current() {
    return merge != null ? merge.current() : entries.get(position);
  }

  private void order() {
    entries.sort(Comparator.comparing(KeyedRow::key, Arrays::compareUnsigned));
  }

  private void spill() {
    if (entries.isEmpty()) {
      return;
    }
    order();
    runs.add(SortedRun.write(budget.spillDirectory(), entries));
    entries = new ArrayList<>();
    heldBytes = 0;
  }

  @Override
  public void close() {
    entries = new ArrayList<>();
    runs.forEach(SortedRun::close);
    runs.clear();
  }
}
