package io.alrai.executor.task;

import io.alrai.executor.fragment.PlanNode.SortKey;
import io.alrai.executor.fragment.PlanNode.WindowCall;
import io.alrai.executor.fragment.Scalar;
import io.alrai.executor.fragment.ValueType;
import io.alrai.executor.fragment.WindowFrame;
import io.alrai.executor.memory.Mem;
import io.alrai.executor.memory.QueryMemory;
import io.alrai.executor.vector.RowChunks;
import io.alrai.executor.vector.RowLayout;
import io.alrai.executor.vector.RowList;
import io.alrai.executor.vector.RowOrder;
import java.util.List;

/** Fills the window columns of stored rows: sorts them, then walks each partition. */
final class WindowRun {
  private static final long WHOLE_PARTITION = WindowFrame.UNBOUNDED_BEFORE;
  private static final int ROWS_BETWEEN_LOOKS = 4096;

  private final RowLayout layout;
  private final Stage.Outcome.Windows windows;
  private final QueryMemory memory;
  private final Cancellation cancellation;
  private final RowOrder partition;
  private final RowOrder order;
  private int rowsSinceLook;

  WindowRun(
      RowLayout layout,
      Stage.Outcome.Windows windows,
      QueryMemory memory,
      Cancellation cancellation) {
    this.layout = layout;
    this.windows = windows;
    this.memory = memory;
    this.cancellation = cancellation;
    List<RowOrder.Key> keys = keys(windows.keys());
    this.partition = new RowOrder(layout, keys.subList(0, windows.partitionKeys()));
    this.order = new RowOrder(layout, keys);
  }

  /** Keys that are columns. */
  static List<RowOrder.Key> keys(List<SortKey> keys) {
    return keys.stream()
        .map(key -> new RowOrder.Key(((Scalar.Column) key.value()).index(), key.descending()))
        .toList();
  }

  List<RowChunks.Chunk> run(List<RowChunks.Chunk> chunks) {
    RowList rows = RowList.of(chunks, layout.size(), memory);
    order.sort(rows, memory, cancellation::check);
    int begin = 0;
    while (begin < rows.size()) {
      int end = begin + 1;
      while (end < rows.size() && partition.compare(rows.at(begin), rows.at(end)) == 0) {
        look();
        end++;
      }
      fill(rows, begin, end);
      begin = end;
    }
    RowChunks sorted = new RowChunks(layout, memory);
    for (int i = 0; i < rows.size(); i++) {
      look();
      Mem.copy(rows.at(i), sorted.append(), layout.size());
    }
    return sorted.chunks();
  }

  /** Called for each row, because one partition may have all of them. */
  private void look() {
    if (++rowsSinceLook == ROWS_BETWEEN_LOOKS) {
      rowsSinceLook = 0;
      cancellation.check();
    }
  }

  private void fill(RowList rows, int begin, int end) {
    int first = layout.types().size() - windows.calls().size();
    for (int i = 0; i < windows.calls().size(); i++) {
      WindowCall call = windows.calls().get(i);
      switch (call.function()) {
        case ROW_NUMBER, RANK, DENSE_RANK -> ranks(call, first + i, rows, begin, end);
        case FIRST_VALUE -> copies(call, i, first + i, rows, begin, end);
        case LAG, LEAD -> shifted(call, i, first + i, rows, begin, end);
        case COUNT, SUM, MIN, MAX -> running(call, i, first + i, rows, begin, end);
        case AVG, LAST_VALUE -> throw NotTaken.error("the window function " + call.function());
      }
    }
  }

  private void put(long row, int column, long value) {
    if (layout.nullOffset(column) >= 0) {
      Mem.putByte(row + layout.nullOffset(column), 0);
    }
    Mem.putLong(row + layout.offset(column), value);
  }

  private void ranks(WindowCall call, int column, RowList rows, int begin, int end) {
    long rank = 0;
    long dense = 0;
    for (int i = begin; i < end; i++) {
      look();
      boolean peer = i > begin && order.compare(rows.at(i - 1), rows.at(i)) == 0;
      if (!peer) {
        rank = i - begin + 1L;
        dense++;
      }
      long value =
          switch (call.function()) {
            case ROW_NUMBER -> i - begin + 1L;
            case RANK -> rank;
            default -> dense;
          };
      put(rows.at(i), column, value);
    }
  }

  /** The argument's slot of another row, NULL byte and all. */
  private void copy(long from, int argument, long to, int column) {
    if (layout.isNull(from, argument)) {
      return;
    }
    ValueType type = layout.types().get(column);
    if (!type.withNullable(true).equals(layout.types().get(argument).withNullable(true))) {
      throw NotTaken.error("a window function as " + type);
    }
    RowLayout.Form form = RowLayout.form(type);
    boolean wide = form == RowLayout.Form.WIDE || form == RowLayout.Form.TEXT;
    Mem.copy(from + layout.offset(argument), to + layout.offset(column), wide ? 16 : 8);
    if (layout.nullOffset(column) >= 0) {
      Mem.putByte(to + layout.nullOffset(column), 0);
    }
  }

  private void copies(WindowCall call, int number, int column, RowList rows, int begin, int end) {
    if (call.frame().from() != WindowFrame.UNBOUNDED_BEFORE) {
      throw NotTaken.error("FIRST_VALUE over such a frame");
    }
    for (int i = begin; i < end; i++) {
      look();
      copy(rows.at(begin), windows.arguments().get(number), rows.at(i), column);
    }
  }

  private void shifted(WindowCall call, int number, int column, RowList rows, int begin, int end) {
    if (call.arguments().size() > 2) {
      throw NotTaken.error(call.function() + " with a default");
    }
    long distance = call.arguments().size() < 2 ? 1 : Binding.number(call.arguments().get(1));
    long step =
        call.function() == io.alrai.executor.fragment.WindowFunction.LAG ? -distance : distance;
    for (int i = begin; i < end; i++) {
      look();
      long from = i + step;
      if (from >= begin && from < end) {
        copy(rows.at((int) from), windows.arguments().get(number), rows.at(i), column);
      }
    }
  }

  /** From the partition's first row to the current one, its peers, or the last. */
  private void running(WindowCall call, int number, int column, RowList rows, int begin, int end) {
    WindowFrame frame = call.frame();
    boolean toEnd = frame.to() == WindowFrame.UNBOUNDED_AFTER;
    if (frame.from() != WHOLE_PARTITION || !toEnd && frame.to() != 0) {
      throw NotTaken.error("a window frame that does not begin with the partition");
    }
    RunningState state = new RunningState(layout, call, windows.arguments().get(number), column);
    int from = begin;
    while (from < end) {
      int to = from + 1;
      while (to < end
          && (toEnd || !frame.byRows() && order.compare(rows.at(from), rows.at(to)) == 0)) {
        to++;
      }
      for (int i = from; i < to; i++) {
        look();
        state.add(rows.at(i));
      }
      for (int i = from; i < to; i++) {
        state.store(rows.at(i));
      }
      from = to;
    }
  }
}
