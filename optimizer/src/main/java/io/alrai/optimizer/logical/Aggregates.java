package io.alrai.optimizer.logical;

import io.alrai.executor.fragment.AggregateFunction;
import io.alrai.executor.fragment.ResultTypes;
import io.alrai.executor.fragment.ValueType;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import org.apache.calcite.rel.core.AggregateCall;
import org.apache.calcite.rel.type.RelDataType;
import org.apache.calcite.sql.SqlAggFunction;
import org.apache.calcite.sql.SqlFunctionCategory;
import org.apache.calcite.sql.SqlKind;
import org.apache.calcite.sql.type.OperandTypes;
import org.apache.calcite.util.Optionality;

/** MySQL's aggregate functions for Calcite's trees, with the types that the executor gives them. */
public final class Aggregates {
  private static final List<Mysql> ALL =
      Arrays.stream(AggregateFunction.values()).map(Mysql::new).toList();

  private Aggregates() {}

  /** A function whose results have MySQL's types. */
  private static final class Mysql extends SqlAggFunction {
    private final AggregateFunction function;

    Mysql(AggregateFunction function) {
      super(
          function.name(),
          null,
          kind(function),
          binding ->
              result(
                  function,
                  binding.collectOperandTypes(),
                  new ValueTypes(binding.getTypeFactory())),
          null,
          OperandTypes.VARIADIC,
          SqlFunctionCategory.NUMERIC,
          false,
          false,
          Optionality.FORBIDDEN);
      this.function = function;
    }

    private static SqlKind kind(AggregateFunction function) {
      return switch (function) {
        case COUNT -> SqlKind.COUNT;
        case SUM -> SqlKind.SUM;
        case AVG -> SqlKind.AVG;
        case MIN -> SqlKind.MIN;
        case MAX -> SqlKind.MAX;
        case ANY_VALUE -> SqlKind.ANY_VALUE;
      };
    }

    private static RelDataType result(
        AggregateFunction function, List<RelDataType> arguments, ValueTypes types) {
      ValueType type = ResultTypes.of(function, arguments.stream().map(types::valueType).toList());
      return switch (function) {
        case MIN, MAX, ANY_VALUE -> {
          RelDataType argument = arguments.getFirst();
          yield ValueTypes.isUnsigned(argument)
              ? types.factory().createTypeWithNullability(argument, type.nullable())
              : types.relType(type);
        }
        case COUNT, SUM, AVG -> types.relType(type);
      };
    }
  }

  /** A call over columns of an aggregation's input. */
  static AggregateCall call(
      AggregateFunction function,
      boolean distinct,
      List<Integer> arguments,
      List<RelDataType> argumentTypes,
      ValueTypes types) {
    return AggregateCall.create(
        ALL.get(function.ordinal()),
        distinct,
        false,
        false,
        List.of(),
        arguments,
        -1,
        null,
        org.apache.calcite.rel.RelCollations.EMPTY,
        Mysql.result(function, argumentTypes, types),
        null);
  }

  /** The executor's function; empty for one that is not MySQL's. */
  public static Optional<AggregateFunction> function(SqlAggFunction function) {
    return function instanceof Mysql mysql ? Optional.of(mysql.function) : Optional.empty();
  }
}
