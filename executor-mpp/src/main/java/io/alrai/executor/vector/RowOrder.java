package io.alrai.executor.vector;

import io.alrai.executor.expression.Texts;
import io.alrai.executor.expression.Wide;
import io.alrai.executor.fragment.ValueKind;
import io.alrai.executor.fragment.ValueType;
import io.alrai.executor.memory.Mem;
import io.alrai.executor.memory.QueryMemory;
import java.util.List;

/** The order of stored rows by some of their columns; NULLs come first ascending. Any thread. */
public final class RowOrder {
  private static final int SMALL = 16;
  private static final int ROWS_BETWEEN_CHECKS = 4096;

  /** A column and its direction. */
  public record Key(int column, boolean descending) {}

  private final RowLayout layout;
  private final List<Key> keys;

  /** An order of rows of that layout. */
  public RowOrder(RowLayout layout, List<Key> keys) {
    this.layout = layout;
    this.keys = List.copyOf(keys);
  }

  /** Below 0, 0 or above 0. */
  public int compare(long one, long other) {
    for (Key key : keys) {
      int result = compare(one, other, key.column());
      if (result != 0) {
        return key.descending() ? -result : result;
      }
    }
    return 0;
  }

  private int compare(long one, long other, int column) {
    boolean oneMissing = layout.isNull(one, column);
    if (oneMissing || layout.isNull(other, column)) {
      return Boolean.compare(!oneMissing, !layout.isNull(other, column));
    }
    ValueType type = layout.types().get(column);
    long a = one + layout.offset(column);
    long b = other + layout.offset(column);
    return switch (RowLayout.form(type)) {
      case LONG ->
          type.kind() == ValueKind.UNSIGNED
              ? Long.compareUnsigned(Mem.longAt(a), Mem.longAt(b))
              : Long.compare(Mem.longAt(a), Mem.longAt(b));
      case WIDE -> Wide.compare(Mem.longAt(a), Mem.longAt(a + 8), Mem.longAt(b), Mem.longAt(b + 8));
      case DOUBLE -> Double.compare(Mem.doubleAt(a) + 0.0, Mem.doubleAt(b) + 0.0);
      case TEXT ->
          Integer.signum(
              Texts.compare(
                  Mem.longAt(a),
                  Mem.longAt(a + 8),
                  Mem.longAt(b),
                  Mem.longAt(b + 8),
                  type.collation().ordinal()));
    };
  }

  /**
   * Sorts rows; equal ones stay in their order.
   *
   * @param memory for as much again as the list takes
   * @param check called again and again; what it throws ends the sort
   */
  public void sort(RowList rows, QueryMemory memory, Runnable check) {
    if (!keys.isEmpty()) {
      merge(rows.copy(memory), rows, 0, rows.size(), check);
    }
  }

  private void merge(RowList from, RowList to, int begin, int end, Runnable check) {
    if (end - begin <= SMALL) {
      insert(to, begin, end);
      return;
    }
    int middle = (begin + end) >>> 1;
    merge(to, from, begin, middle, check);
    merge(to, from, middle, end, check);
    int left = begin;
    int right = middle;
    for (int i = begin; i < end; i++) {
      if (i % ROWS_BETWEEN_CHECKS == 0) {
        check.run();
      }
      boolean takesLeft =
          left < middle && (right >= end || compare(from.at(left), from.at(right)) <= 0);
      to.set(i, from.at(takesLeft ? left++ : right++));
    }
  }

  private void insert(RowList rows, int begin, int end) {
    for (int i = begin + 1; i < end; i++) {
      long row = rows.at(i);
      int at = i;
      while (at > begin && compare(rows.at(at - 1), row) > 0) {
        rows.set(at, rows.at(at - 1));
        at--;
      }
      rows.set(at, row);
    }
  }
}
