package io.alrai.optimizer.logical;

import io.alrai.common.error.AlraiException;
import io.alrai.executor.fragment.ResultTypes;
import io.alrai.executor.fragment.ValueKind;
import io.alrai.executor.fragment.ValueType;
import java.util.ArrayList;
import java.util.List;
import org.apache.calcite.rex.RexLiteral;
import org.apache.calcite.rex.RexNode;
import org.apache.calcite.sql.fun.SqlStdOperatorTable;

/** CASE and its kin, whose values are brought to one kind. */
final class Choices {
  private final Expressions expressions;

  Choices(Expressions expressions) {
    this.expressions = expressions;
  }

  /** CASE: (condition, value, condition, value, ..., otherwise). */
  RexNode choose(List<RexNode> operands) {
    List<Integer> places = new ArrayList<>();
    for (int i = 1; i < operands.size(); i += 2) {
      places.add(i);
    }
    places.add(operands.size() - 1);
    List<RexNode> values = same(places.stream().map(operands::get).toList());
    List<RexNode> all = new ArrayList<>(operands);
    for (int i = 0; i < places.size(); i++) {
      all.set(places.get(i), values.get(i));
    }
    ValueType type = common(values);
    return expressions.call(
        SqlStdOperatorTable.CASE, expressions.types().relType(type, values), all);
  }

  /** The values, with those of other kinds cast to the common type, and NULLs of that type. */
  List<RexNode> same(List<RexNode> values) {
    List<RexNode> present = values.stream().filter(value -> !Expressions.isNull(value)).toList();
    if (present.isEmpty()) {
      throw new NotCovered("a choice among NULLs");
    }
    List<RexNode> adjusted = adjustTexts(present);
    ValueType common = common(adjusted);
    List<RexNode> result = new ArrayList<>();
    int at = 0;
    for (RexNode value : values) {
      if (Expressions.isNull(value)) {
        result.add(
            expressions
                .builder()
                .makeNullLiteral(expressions.types().relType(common.withNullable(true))));
      } else {
        RexNode next = adjusted.get(at++);
        ValueType type = expressions.type(next);
        boolean same = type.kind() == common.kind() && type.scale() == common.scale();
        result.add(same ? next : expressions.cast(next, common.withNullable(type.nullable())));
      }
    }
    return result;
  }

  /** String literals take the collation of the first string that is no literal. */
  private List<RexNode> adjustTexts(List<RexNode> values) {
    return values.stream()
        .filter(value -> !(value instanceof RexLiteral))
        .filter(value -> expressions.type(value).kind() == ValueKind.STRING)
        .findFirst()
        .map(text ->
            values.stream()
                .map(value ->
                    value instanceof RexLiteral ? expressions.comparable(value, text) : value)
                .toList())
        .orElse(values);
  }

  private ValueType common(List<RexNode> values) {
    try {
      boolean nullable = values.stream().anyMatch(value -> value.getType().isNullable());
      List<ValueType> types = values.stream().map(expressions::type).toList();
      ValueType common = ResultTypes.common(types).withNullable(nullable);
      boolean unsigned = values.stream().allMatch(value -> ValueTypes.isUnsigned(value.getType()));
      return unsigned && common.kind() == ValueKind.DECIMAL ? ValueType.unsigned(nullable) : common;
    } catch (AlraiException e) {
      throw new NotCovered(e.sentence());
    }
  }
}
