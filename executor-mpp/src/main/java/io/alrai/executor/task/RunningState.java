package io.alrai.executor.task;

import io.alrai.executor.expression.Wide;
import io.alrai.executor.fragment.PlanNode.WindowCall;
import io.alrai.executor.fragment.ValueKind;
import io.alrai.executor.fragment.ValueType;
import io.alrai.executor.fragment.WindowFunction;
import io.alrai.executor.memory.Mem;
import io.alrai.executor.vector.RowLayout;
import io.alrai.executor.vector.RowOrder;
import java.math.BigInteger;
import java.util.List;

/** A COUNT, SUM, MIN or MAX that grows row by row. */
final class RunningState {
  private final RowLayout layout;
  private final WindowCall call;
  private final int argument;
  private final int column;
  private long count;
  private BigInteger sum = BigInteger.ZERO;
  private double floating;
  private long best;

  RunningState(RowLayout layout, WindowCall call, int argument, int column) {
    this.layout = layout;
    this.call = call;
    this.argument = argument;
    this.column = column;
  }

  void add(long row) {
    if (argument >= 0 && layout.isNull(row, argument)) {
      return;
    }
    count++;
    switch (call.function()) {
      case SUM -> addValue(row);
      case MIN, MAX -> {
        RowOrder order =
            new RowOrder(
                layout, List.of(new RowOrder.Key(argument, call.function() == WindowFunction.MAX)));
        if (best == 0 || order.compare(row, best) < 0) {
          best = row;
        }
      }
      default -> {}
    }
  }

  private void addValue(long row) {
    ValueType type = layout.types().get(argument);
    long at = row + layout.offset(argument);
    switch (RowLayout.form(type)) {
      case DOUBLE -> floating += Mem.doubleAt(at);
      case LONG -> sum = sum.add(BigInteger.valueOf(Mem.longAt(at)));
      case WIDE -> sum = sum.add(Wide.big(Mem.longAt(at), Mem.longAt(at + Long.BYTES)));
      case TEXT -> throw NotTaken.error("a sum of text");
    }
    if (type.kind() != ValueKind.DOUBLE && type.scale() != call.type().scale()) {
      throw NotTaken.error("a window function as " + call.type());
    }
  }

  void store(long row) {
    long at = row + layout.offset(column);
    boolean none = call.function() != WindowFunction.COUNT && count == 0;
    if (none) {
      return;
    }
    if (layout.nullOffset(column) >= 0) {
      Mem.putByte(row + layout.nullOffset(column), 0);
    }
    switch (call.function()) {
      case SUM -> {
        if (call.type().kind() == ValueKind.DOUBLE) {
          Mem.putDouble(at, floating);
        } else {
          Mem.putLong(at, sum.longValue());
          if (RowLayout.form(call.type()) == RowLayout.Form.WIDE) {
            Mem.putLong(at + Long.BYTES, sum.shiftRight(Long.SIZE).longValue());
          }
        }
      }
      case MIN, MAX -> {
        boolean wide = width(call.type()) > Long.BYTES;
        Mem.copy(best + layout.offset(argument), at, wide ? 16 : 8);
      }
      default -> Mem.putLong(at, count);
    }
  }

  private static int width(ValueType type) {
    RowLayout.Form form = RowLayout.form(type);
    return form == RowLayout.Form.WIDE || form == RowLayout.Form.TEXT ? 16 : 8;
  }
}
