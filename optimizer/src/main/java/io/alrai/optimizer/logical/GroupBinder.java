package io.alrai.optimizer.logical;

import io.alrai.common.error.AlraiException;
import io.alrai.executor.fragment.AggregateFunction;
import io.alrai.executor.fragment.ValueKind;
import io.alrai.optimizer.syntax.Expr;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import java.util.Set;
import org.apache.calcite.rel.RelNode;
import org.apache.calcite.rel.core.AggregateCall;
import org.apache.calcite.rel.logical.LogicalAggregate;
import org.apache.calcite.rel.logical.LogicalProject;
import org.apache.calcite.rex.RexInputRef;
import org.apache.calcite.rex.RexNode;
import org.apache.calcite.util.ImmutableBitSet;

/**
 * Expressions over groups: what is equal to a key is the key, calls of aggregate functions are
 * collected, everything else is built from these. One thread.
 */
final class GroupBinder extends ExpressionBinder {
  private final ExpressionBinder rows;
  private final SelectList list;
  private final int keyCount;
  private final List<RexNode> inputs;
  private final List<AggregateCall> calls = new ArrayList<>();

  /** Sums whose values may have fewer digits than their types, as columns of the aggregation. */
  private final BitSet choices = new BitSet();

  /**
   * Over groups by these keys.
   *
   * @param rows binds expressions over the rows before they are grouped
   */
  GroupBinder(
      BindContext context,
      QueryBinder queries,
      ExpressionBinder rows,
      SelectList list,
      List<RexNode> keys) {
    super(context, rows.scope(), queries);
    this.rows = rows;
    this.list = list;
    this.keyCount = keys.size();
    this.inputs = new ArrayList<>(keys);
  }

  @Override
  RexNode bind(Expr expr) {
    boolean plain =
        switch (expr) {
          case Expr.Name name -> true;
          case Expr.Operation operation -> true;
          case Expr.Call call -> true;
          case Expr.Case choice -> true;
          case Expr.Star _,
              Expr.Slot _,
              Expr.Literal _,
              Expr.Variable _,
              Expr.Parenthesised _,
              Expr.Row _,
              Expr.InList _,
              Expr.OverQuery _ ->
              false;
        };
    if (plain && !hasAggregate(expr) && expr.allQueries().isEmpty() && !isAlias(expr)) {
      int key = inputs.subList(0, keyCount).indexOf(rows.bind(expr));
      if (key >= 0) {
        return new RexInputRef(key, inputs.get(key).getType());
      }
    }
    RexNode bound = super.bind(expr);
    digits().checkQuotient(bound);
    new Coverage(expressions()).checkQuotient(bound, choices);
    return bound;
  }

  /** A column of the result: as what MySQL shows a YEAR that is 0 depends on its plan. */
  RexNode column(Expr expr) {
    RexNode bound = bind(expr);
    if (bound instanceof RexInputRef ref
        && ref.getIndex() >= keyCount
        && ValueTypes.isYear(ref.getType())) {
      throw new NotCovered("MIN or MAX of a YEAR as a column");
    }
    return bound;
  }

  /** Which of its values have more digits than their types. */
  FreeDigits digits() {
    return new FreeDigits(expressions(), this::isAverage);
  }

  private boolean isAverage(int column) {
    if (column < keyCount) {
      return false;
    }
    AggregateCall call = calls.get(column - keyCount);
    return Aggregates.function(call.getAggregation())
            .filter(AggregateFunction.AVG::equals)
            .isPresent()
        && expressions().types().valueType(call.getType()).kind() == ValueKind.DECIMAL;
  }

  /** HAVING and ORDER BY may name an alias where no column has that name. */
  private boolean isAlias(Expr expr) {
    List<Expr.Name> names = new ArrayList<>();
    expr.walk(inner -> {
      if (inner instanceof Expr.Name name) {
        names.add(name);
      }
    });
    return names.stream()
        .anyMatch(name -> scope().own(name).isEmpty() && list.aliased(name.column()).isPresent());
  }

  @Override
  RexNode name(Expr.Name name) {
    if (scope().own(name).isEmpty() && name.table().isEmpty()) {
      var aliased = list.aliased(name.column());
      if (aliased.isPresent()) {
        return bind(aliased.get());
      }
    }
    throw new NotCovered("the column " + name.column() + ", which is not grouped");
  }

  @Override
  RexNode aggregate(AggregateFunction function, Expr.Call call) {
    List<Integer> arguments = new ArrayList<>();
    for (Expr argument : call.arguments()) {
      if (!(argument instanceof Expr.Star)) {
        RexNode bound = rows.bind(argument);
        new Coverage(expressions()).check(function, bound);
        arguments.add(input(bound));
      }
    }
    AggregateCall aggregate;
    try {
      aggregate =
          Aggregates.call(
              function,
              call.distinct(),
              arguments,
              arguments.stream().map(argument -> inputs.get(argument).getType()).toList(),
              expressions().types());
    } catch (AlraiException e) {
      throw new NotCovered(e.sentence());
    }
    int at = calls.indexOf(aggregate);
    if (at < 0) {
      at = calls.size();
      calls.add(aggregate);
      if (function == AggregateFunction.SUM
          && new Coverage(expressions()).hasChoice(inputs.get(arguments.getFirst()))) {
        choices.set(keyCount + at);
      }
    }
    return new RexInputRef(keyCount + at, aggregate.getType());
  }

  private int input(RexNode argument) {
    int at = inputs.indexOf(argument);
    if (at >= 0) {
      return at;
    }
    inputs.add(argument);
    return inputs.size() - 1;
  }

  /** The aggregation, once everything over it is bound. */
  RelNode aggregation(RelNode input) {
    RelNode projected =
        inputs.isEmpty()
            ? input
            : LogicalProject.create(input, List.of(), inputs, names(inputs.size()), Set.of());
    ImmutableBitSet keys = ImmutableBitSet.range(keyCount);
    return LogicalAggregate.create(projected, List.of(), keys, null, calls);
  }

  static List<String> names(int count) {
    List<String> names = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      names.add("c" + i);
    }
    return names;
  }

  /** Whether an expression calls an aggregate function, outside of subqueries. */
  static boolean hasAggregate(Expr expr) {
    boolean[] found = {false};
    expr.walk(inner -> {
      if (inner instanceof Expr.Call call && call.window().isEmpty()) {
        found[0] |= isAggregate(call.name());
      }
    });
    return found[0];
  }

  private static boolean isAggregate(String name) {
    return switch (name) {
      case "COUNT",
          "SUM",
          "AVG",
          "MIN",
          "MAX",
          "ANY_VALUE",
          "GROUP_CONCAT",
          "BIT_AND",
          "BIT_OR",
          "BIT_XOR",
          "STD",
          "STDDEV",
          "STDDEV_POP",
          "STDDEV_SAMP",
          "VAR_POP",
          "VAR_SAMP",
          "VARIANCE",
          "JSON_ARRAYAGG",
          "JSON_OBJECTAGG" ->
          true;
      default -> false;
    };
  }
}
