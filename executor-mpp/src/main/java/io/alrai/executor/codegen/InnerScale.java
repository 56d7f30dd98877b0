package io.alrai.executor.codegen;

import io.alrai.executor.fragment.Scalar;
import io.alrai.executor.fragment.ValueType;
import java.util.HashMap;
import java.util.Map;
import java.util.function.IntFunction;

/** The digits after the point that MySQL computes an expression with, before the type cuts them. */
public final class InnerScale {
  private InnerScale() {}

  /** Of an exact expression whose columns have the scales of their types. */
  public static int of(Scalar scalar) {
    Map<Integer, ValueType> types = new HashMap<>();
    IntFunction<Shape> columns = index -> Shapes.ofType(types.getOrDefault(index, ANY));
    collect(scalar, types);
    return Math.min(ValueType.MOST_SCALE, new Shapes(columns).of(scalar).scale());
  }

  private static final ValueType ANY = ValueType.bigint(true);

  private static void collect(Scalar scalar, Map<Integer, ValueType> types) {
    switch (scalar) {
      case Scalar.Column column -> types.put(column.index(), column.type());
      case Scalar.Call call -> call.arguments().forEach(argument -> collect(argument, types));
      case Scalar.Case choice -> {
        choice.branches().forEach(branch -> collect(branch.value(), types));
        choice.otherwise().ifPresent(value -> collect(value, types));
      }
      case Scalar.Cast cast -> collect(cast.argument(), types);
      case Scalar.Literal literal -> {}
      case Scalar.Parameter parameter -> {}
      case Scalar.SubqueryValue value -> {}
      case Scalar.InList in -> {}
      case Scalar.Like like -> {}
      case Scalar.Extract extract -> {}
      case Scalar.DateAdd add -> {}
    }
  }
}
