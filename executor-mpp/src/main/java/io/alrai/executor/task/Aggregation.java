package io.alrai.executor.task;

import io.alrai.executor.fragment.AggregateFunction;
import io.alrai.executor.fragment.PlanNode;
import io.alrai.executor.fragment.PlanNode.AggregateCall;
import io.alrai.executor.fragment.Scalar;
import io.alrai.executor.fragment.ScalarFunction;
import io.alrai.executor.fragment.ValueKind;
import io.alrai.executor.fragment.ValueType;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * An aggregation in terms of COUNT, SUM, MIN, MAX and ANY_VALUE without DISTINCT: DISTINCT becomes
 * an inner grouping by the argument, AVG a sum divided by a count.
 *
 * @param inner groups first, where there is DISTINCT
 * @param outer groups then
 * @param results over the outer level's columns: keys, then calls
 */
record Aggregation(Optional<Level> inner, Level outer, List<Scalar> results) {
  /** Keys and calls over its input. */
  record Level(List<Scalar> keys, List<AggregateCall> calls) {}

  static Aggregation of(PlanNode.Aggregate aggregate) {
    List<AggregateCall> simple = new ArrayList<>();
    List<Scalar> results = new ArrayList<>();
    List<Scalar> keys = aggregate.keys();
    for (int i = 0; i < keys.size(); i++) {
      results.add(new Scalar.Column(i, aggregate.columns().get(i)));
    }
    for (AggregateCall call : aggregate.calls()) {
      results.add(simplified(call, keys.size(), simple));
    }
    List<AggregateCall> distinct = simple.stream().filter(AggregateCall::distinct).toList();
    if (distinct.isEmpty()) {
      return new Aggregation(Optional.empty(), new Level(keys, simple), results);
    }
    List<Scalar> argument = distinct.getFirst().arguments();
    if (distinct.stream().anyMatch(call -> !call.arguments().equals(argument))) {
      throw NotTaken.error("several DISTINCT aggregates of different arguments");
    }
    return twoLevels(keys, simple, argument, results);
  }

  private static Scalar simplified(AggregateCall call, int keys, List<AggregateCall> simple) {
    boolean distinct =
        call.distinct()
            && call.function() != AggregateFunction.MIN
            && call.function() != AggregateFunction.MAX
            && call.function() != AggregateFunction.ANY_VALUE;
    return switch (call.function()) {
      case COUNT, MIN, MAX, ANY_VALUE ->
          column(
              new AggregateCall(call.function(), call.arguments(), distinct, call.type()),
              keys,
              simple);
      case SUM -> {
        Scalar sum = column(sum(call, distinct), keys, simple);
        yield new Scalar.Cast(sum, call.type());
      }
      case AVG -> {
        Scalar sum = column(sum(call, distinct), keys, simple);
        AggregateCall count =
            new AggregateCall(
                AggregateFunction.COUNT, call.arguments(), distinct, ValueType.bigint(false));
        yield new Scalar.Call(
            ScalarFunction.DIVIDE, List.of(sum, column(count, keys, simple)), call.type());
      }
    };
  }

  /** A sum has the digits of its argument after the point. */
  private static AggregateCall sum(AggregateCall call, boolean distinct) {
    Scalar argument = call.arguments().getFirst();
    if (!argument.type().kind().isNumber() || argument.type().kind() == ValueKind.UNSIGNED) {
      throw NotTaken.error("a sum of " + argument.type());
    }
    ValueType type = ValueType.floating(true);
    if (argument.type().kind().isExact()) {
      type = ValueType.decimal(ValueType.MOST_DIGITS, argument.type().scale(), true);
    }
    return new AggregateCall(AggregateFunction.SUM, List.of(argument), distinct, type);
  }

  private static Scalar column(AggregateCall call, int keys, List<AggregateCall> simple) {
    int at = simple.indexOf(call);
    if (at < 0) {
      at = simple.size();
      simple.add(call);
    }
    return new Scalar.Column(keys + at, call.type());
  }

  private static Aggregation twoLevels(
      List<Scalar> keys, List<AggregateCall> simple, List<Scalar> argument, List<Scalar> results) {
    List<Scalar> innerKeys = new ArrayList<>(keys);
    innerKeys.addAll(argument);
    List<AggregateCall> innerCalls = simple.stream().filter(call -> !call.distinct()).toList();
    List<Scalar> outerKeys = new ArrayList<>();
    for (int i = 0; i < keys.size(); i++) {
      outerKeys.add(new Scalar.Column(i, keys.get(i).type()));
    }
    List<Scalar> outerArgument = new ArrayList<>();
    for (int i = 0; i < argument.size(); i++) {
      outerArgument.add(new Scalar.Column(keys.size() + i, argument.get(i).type()));
    }
    List<AggregateCall> outerCalls = new ArrayList<>();
    for (AggregateCall call : simple) {
      if (call.distinct()) {
        outerCalls.add(new AggregateCall(call.function(), outerArgument, false, call.type()));
      } else {
        int column = innerKeys.size() + innerCalls.indexOf(call);
        outerCalls.add(merging(call, new Scalar.Column(column, call.type())));
      }
    }
    return new Aggregation(
        Optional.of(new Level(innerKeys, innerCalls)), new Level(outerKeys, outerCalls), results);
  }

  /** What merges the states of a call. */
  static AggregateCall merging(AggregateCall call, Scalar state) {
    AggregateFunction function =
        call.function() == AggregateFunction.COUNT ? AggregateFunction.SUM : call.function();
    return new AggregateCall(function, List.of(state), false, call.type());
  }
}
