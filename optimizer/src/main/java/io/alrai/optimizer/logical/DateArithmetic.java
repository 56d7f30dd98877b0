package io.alrai.optimizer.logical;

import io.alrai.executor.fragment.DateUnit;
import io.alrai.executor.fragment.ScalarFunction;
import io.alrai.executor.fragment.ValueKind;
import io.alrai.executor.fragment.ValueType;
import java.math.BigDecimal;
import java.time.LocalDate;
import java.util.List;
import java.util.Optional;
import org.apache.calcite.rel.type.RelDataType;
import org.apache.calcite.rex.RexLiteral;
import org.apache.calcite.rex.RexNode;
import org.apache.calcite.sql.type.SqlTypeName;
import org.apache.calcite.util.DateString;

/** Dates plus and minus intervals. */
final class DateArithmetic {
  private static final int FIRST_YEAR = 1;
  private static final int LAST_YEAR = 9999;

  private final Expressions expressions;

  DateArithmetic(Expressions expressions) {
    this.expressions = expressions;
  }

  /**
   * {@code value + INTERVAL amount unit}.
   *
   * @param back for minus
   */
  RexNode add(RexNode value, RexNode amount, String unitName, boolean back) {
    DateUnit unit = unit(unitName);
    RexNode whole = whole(amount);
    RexNode signed = back ? negated(whole) : whole;
    Optional<LocalDate> day = day(value);
    if (day.isPresent() && signed instanceof RexLiteral literal && isDays(unit)) {
      return folded(day.get(), number(literal), unit);
    }
    ValueType type = expressions.type(value);
    if (!type.kind().isTemporal()) {
      throw new NotCovered("date arithmetic with a string");
    }
    ValueType result =
        type.kind() == ValueKind.DATE && isDays(unit)
            ? ValueType.date(true)
            : ValueType.datetime(unit == DateUnit.MICROSECOND ? 6 : type.scale(), true);
    RelDataType relType = expressions.types().relType(result);
    return expressions.call(Functions.addition(unit), relType, List.of(value, signed));
  }

  private static DateUnit unit(String name) {
    return switch (name) {
      case "MICROSECOND", "SECOND", "MINUTE", "HOUR", "DAY", "WEEK", "MONTH", "QUARTER", "YEAR" ->
          DateUnit.valueOf(name);
      default -> throw new NotCovered("an interval of " + name);
    };
  }

  private static boolean isDays(DateUnit unit) {
    return switch (unit) {
      case DAY, WEEK, MONTH, QUARTER, YEAR -> true;
      case MICROSECOND, SECOND, MINUTE, HOUR, YEAR_MONTH -> false;
    };
  }

  private RexNode whole(RexNode amount) {
    ValueKind kind = expressions.type(amount).kind();
    if (kind == ValueKind.STRING
        && amount instanceof RexLiteral literal
        && Expressions.text(literal).matches("-?[0-9]{1,9}")) {
      return expressions.whole(Long.parseLong(Expressions.text(literal)));
    }
    if (kind != ValueKind.BIGINT) {
      throw new NotCovered("an interval that is no whole number");
    }
    return amount;
  }

  private RexNode negated(RexNode amount) {
    return amount instanceof RexLiteral literal
        ? expressions.whole(-number(literal))
        : expressions.call(ScalarFunction.NEGATE, List.of(amount));
  }

  private static long number(RexLiteral literal) {
    BigDecimal value = literal.getValueAs(BigDecimal.class);
    if (value == null) {
      throw new NotCovered("an interval of NULL");
    }
    return value.longValueExact();
  }

  private static Optional<LocalDate> day(RexNode value) {
    if (!(value instanceof RexLiteral literal)
        || literal.isNull()
        || literal.getType().getSqlTypeName() != SqlTypeName.DATE) {
      return Optional.empty();
    }
    return Optional.ofNullable(literal.getValueAs(DateString.class))
        .map(date -> LocalDate.ofEpochDay(date.getDaysSinceEpoch()));
  }

  private RexNode folded(LocalDate day, long amount, DateUnit unit) {
    LocalDate result =
        switch (unit) {
          case DAY -> day.plusDays(amount);
          case WEEK -> day.plusWeeks(amount);
          case MONTH -> day.plusMonths(amount);
          case QUARTER -> day.plusMonths(Math.multiplyExact(3, amount));
          case YEAR -> day.plusYears(amount);
          default -> throw new NotCovered("an interval of " + unit);
        };
    if (result.getYear() < FIRST_YEAR || result.getYear() > LAST_YEAR) {
      throw new NotCovered("a date outside of the calendar");
    }
    return expressions.date(result);
  }
}
