package io.alrai.executor.task;

import io.alrai.executor.fragment.AggregateFunction;
import io.alrai.executor.fragment.PlanNode.AggregateCall;
import io.alrai.executor.fragment.PlanNode.SetKind;
import io.alrai.executor.fragment.PlanNode.SetOperation;
import io.alrai.executor.fragment.Scalar;
import io.alrai.executor.fragment.ScalarFunction;
import io.alrai.executor.fragment.ValueType;
import java.util.ArrayList;
import java.util.List;
import java.util.function.BiFunction;
import java.util.function.UnaryOperator;

/** INTERSECT and EXCEPT as a grouping of all inputs that remembers which of them had the row. */
final class SetFilter {
  private SetFilter() {}

  /** For each input: whether it had the row. */
  static List<AggregateCall> marks(List<ValueType> types, int width) {
    List<AggregateCall> calls = new ArrayList<>();
    for (int i = width; i < types.size(); i++) {
      Scalar mark = new Scalar.Column(i, types.get(i));
      calls.add(AggregateCall.of(AggregateFunction.MAX, false, mark));
    }
    return calls;
  }

  /** Leaves the rows of the result, without the marks. */
  static <T> T filtered(
      SetOperation set, T grouped, BiFunction<T, Scalar, T> filter, UnaryOperator<T> cut) {
    if (set.kind() == SetKind.UNION) {
      return grouped;
    }
    List<Scalar> conditions = new ArrayList<>();
    for (int i = 0; i < set.inputs().size(); i++) {
      Scalar mark = new Scalar.Column(set.columns().size() + i, ValueType.whole(1, true));
      boolean wanted = i == 0 || set.kind() == SetKind.INTERSECT;
      conditions.add(Scalar.call(ScalarFunction.EQUAL, mark, Scalar.whole(wanted ? 1 : 0)));
    }
    return cut.apply(filter.apply(grouped, Scalar.call(ScalarFunction.AND, conditions)));
  }
}
