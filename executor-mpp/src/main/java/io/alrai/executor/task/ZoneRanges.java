package io.alrai.executor.task;

import io.alrai.columnar.scan.ZoneFilter;
import io.alrai.executor.fragment.Constant;
import io.alrai.executor.fragment.Scalar;
import io.alrai.executor.fragment.ScalarFunction;
import io.alrai.executor.fragment.ValueKind;
import io.alrai.executor.fragment.ValueType;
import java.math.BigDecimal;
import java.math.RoundingMode;
import java.util.List;
import java.util.Optional;

/** Finds ranges in a predicate by which row groups can be left out. */
final class ZoneRanges {
  private ZoneRanges() {}

  /** A filter that lets every row group pass which may have a row of the predicate. */
  static ZoneFilter of(Scalar predicate, List<Integer> ordinals) {
    if (!(predicate instanceof Scalar.Call call)) {
      return ZoneFilter.ALL;
    }
    if (call.function() == ScalarFunction.AND) {
      return call.arguments().stream()
          .map(part -> of(part, ordinals))
          .reduce(ZoneFilter.ALL, ZoneFilter::and);
    }
    if (!call.function().isComparison()
        || !(call.arguments().get(0) instanceof Scalar.Column column)
        || !(call.arguments().get(1) instanceof Scalar.Literal literal)) {
      return ZoneFilter.ALL;
    }
    Optional<BigDecimal> bound = bound(literal, column.type());
    return bound.isEmpty()
        ? ZoneFilter.ALL
        : range(call.function(), ordinals.get(column.index()), bound.get());
  }

  private static ZoneFilter range(ScalarFunction function, int ordinal, BigDecimal bound) {
    long floor = bound.setScale(0, RoundingMode.FLOOR).longValueExact();
    long ceiling = bound.setScale(0, RoundingMode.CEILING).longValueExact();
    return switch (function) {
      case EQUAL -> ZoneFilter.between(ordinal, ceiling, floor);
      case LESS, LESS_EQUAL -> ZoneFilter.between(ordinal, Long.MIN_VALUE, floor);
      case GREATER, GREATER_EQUAL -> ZoneFilter.between(ordinal, ceiling, Long.MAX_VALUE);
      default -> ZoneFilter.ALL;
    };
  }

  /** The literal as the column's values are stored, where that is a 64 bit number. */
  private static Optional<BigDecimal> bound(Scalar.Literal literal, ValueType column) {
    if (column.kind() == ValueKind.UNSIGNED || column.kind() == ValueKind.DOUBLE) {
      return Optional.empty();
    }
    Optional<BigDecimal> value =
        switch (literal.value()) {
          case Constant.Whole whole when column.kind().isExact() ->
              Optional.of(BigDecimal.valueOf(whole.value()));
          case Constant.Exact exact when column.kind().isExact() -> Optional.of(exact.value());
          case Constant.Day day when column.kind() == ValueKind.DATE ->
              Optional.of(BigDecimal.valueOf(day.epochDay()));
          case Constant.Moment moment when column.kind() == ValueKind.DATETIME ->
              Optional.of(BigDecimal.valueOf(moment.epochMicros()));
          case Constant.Null _,
              Constant.Whole _,
              Constant.Exact _,
              Constant.Floating _,
              Constant.Text _,
              Constant.Day _,
              Constant.Moment _ ->
              Optional.empty();
        };
    int scale = column.kind() == ValueKind.DECIMAL ? column.scale() : 0;
    BigDecimal most = BigDecimal.valueOf(Long.MAX_VALUE);
    return value.map(v -> v.movePointRight(scale)).filter(v -> v.abs().compareTo(most) < 0);
  }
}
