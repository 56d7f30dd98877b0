package io.alrai.executor.operator;

import io.alrai.common.wire.ColumnDefinition;
import io.alrai.executor.fragment.MergePlan.Aggregation;
import io.alrai.executor.fragment.MergePlan.Output;
import java.util.ArrayList;
import java.util.List;

/**
 * One group on its way. Columns that are the same in all its rows come from its first row; with no
 * group keys they come from the first row that has a value, since a shard without rows sends NULL.
 */
final class Group {
  private static final int OVERHEAD = 64;

  /** An output column: an accumulator's, or the first row's. */
  private sealed interface Part {
    record Accumulated(Accumulator accumulator) implements Part {}

    record Same(int column) implements Part {}
  }

  private final byte[] firstRow;
  private final int columns;
  private final List<Part> parts;

  Group(Aggregation aggregation, List<ColumnDefinition> columns, byte[] firstRow) {
    this.firstRow = firstRow;
    this.columns = columns.size();
    this.parts = new ArrayList<>(aggregation.outputs().size());
    boolean keyed = !aggregation.groupBy().isEmpty();
    for (Output output : aggregation.outputs()) {
      parts.add(
          keyed && output instanceof Output.Any any
              ? new Part.Same(any.column())
              : new Part.Accumulated(Accumulator.of(output, columns)));
    }
  }

  /** Takes a partial row, the first one too. */
  void add(Row row) {
    for (Part part : parts) {
      if (part instanceof Part.Accumulated accumulated) {
        accumulated.accumulator.add(row);
      }
    }
  }

  /** Writes the output row. */
  void write(GrowingBytes out) {
    Row first = firstRow();
    for (Part part : parts) {
      switch (part) {
        case Part.Accumulated accumulated -> accumulated.accumulator.write(out);
        case Part.Same same -> copy(first, same.column, out);
      }
    }
  }

  /** Writes a partial row that stands for all rows taken so far. */
  void writePartial(int inputColumns, GrowingBytes out) {
    Row first = firstRow();
    for (int column = 0; column < inputColumns; column++) {
      if (!writeAccumulated(column, out)) {
        copy(first, column, out);
      }
    }
  }

  private boolean writeAccumulated(int column, GrowingBytes out) {
    for (Part part : parts) {
      if (part instanceof Part.Accumulated accumulated
          && accumulated.accumulator.writePartial(column, out)) {
        return true;
      }
    }
    return false;
  }

  private Row firstRow() {
    Row first = new Row(columns);
    first.set(firstRow, 0, firstRow.length);
    return first;
  }

  private static void copy(Row row, int column, GrowingBytes out) {
    int from = row.columnStart(column);
    out.write(row.bytes(), from, row.columnEnd(column) - from);
  }

  /** Estimated bytes of heap. */
  int heapBytes() {
    int bytes = OVERHEAD + firstRow.length;
    for (Part part : parts) {
      bytes += part instanceof Part.Accumulated a ? 24 + a.accumulator.heapBytes() : 24;
    }
    return bytes;
  }
}
