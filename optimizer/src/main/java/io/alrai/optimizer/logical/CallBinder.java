package io.alrai.optimizer.logical;

import io.alrai.executor.fragment.DateUnit;
import io.alrai.executor.fragment.ScalarFunction;
import io.alrai.executor.fragment.ValueKind;
import io.alrai.executor.fragment.ValueType;
import io.alrai.optimizer.syntax.Expr;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.apache.calcite.plan.RelOptUtil;
import org.apache.calcite.rex.RexLiteral;
import org.apache.calcite.rex.RexNode;

/** Calls of functions. One thread. */
final class CallBinder {
  private static final Pattern DECIMAL =
      Pattern.compile("(?is).*\\bDECIMAL\\s*\\(\\s*(\\d+)\\s*(?:,\\s*(\\d+)\\s*)?\\)\\s*\\)");

  private final BindContext context;
  private final ExpressionBinder binder;

  CallBinder(BindContext context, ExpressionBinder binder) {
    this.context = context;
    this.binder = binder;
  }

  private Expressions expressions() {
    return context.expressions();
  }

  RexNode bind(Expr.Call call) {
    List<RexNode> arguments = call.arguments().stream().map(binder::bind).toList();
    return switch (call.name()) {
      case "EXTRACT" -> expressions().extract(unit(call.type()), arguments.getFirst());
      case "YEAR" -> expressions().year(arguments.getFirst());
      case "MONTH" -> expressions().extract(DateUnit.MONTH, arguments.getFirst());
      case "QUARTER" -> expressions().extract(DateUnit.QUARTER, arguments.getFirst());
      case "DAY", "DAYOFMONTH" -> expressions().extract(DateUnit.DAY, arguments.getFirst());
      case "HOUR" -> expressions().extract(DateUnit.HOUR, arguments.getFirst());
      case "MINUTE" -> expressions().extract(DateUnit.MINUTE, arguments.getFirst());
      case "SECOND" -> expressions().extract(DateUnit.SECOND, arguments.getFirst());
      case "SUBSTRING", "SUBSTR", "MID" -> substring(arguments);
      case "IF" -> choose(arguments);
      case "IFNULL", "COALESCE" ->
          expressions().call(ScalarFunction.COALESCE, new Choices(expressions()).same(arguments));
      case "NULLIF" -> nullIf(call.arguments().getFirst(), arguments);
      case "ABS" -> numeric(ScalarFunction.ABS, arguments, 1);
      case "FLOOR" -> numeric(ScalarFunction.FLOOR, arguments, 1);
      case "CEIL", "CEILING" -> numeric(ScalarFunction.CEILING, arguments, 1);
      case "MOD" -> numeric(ScalarFunction.MODULO, arguments, 2);
      case "DATEDIFF" -> dateDifference(arguments);
      case "CAST" -> cast(call, arguments.getFirst());
      default -> throw new NotCovered("the function " + call.shown());
    };
  }

  private static DateUnit unit(String name) {
    return switch (name) {
      case "MICROSECOND",
          "SECOND",
          "MINUTE",
          "HOUR",
          "DAY",
          "MONTH",
          "QUARTER",
          "YEAR",
          "YEAR_MONTH" ->
          DateUnit.valueOf(name);
      default -> throw new NotCovered("EXTRACT of " + name);
    };
  }

  private RexNode substring(List<RexNode> arguments) {
    boolean plain =
        (arguments.size() == 2 || arguments.size() == 3)
            && arguments.stream()
                .skip(1)
                .allMatch(argument -> expressions().type(argument).kind() == ValueKind.BIGINT);
    if (!plain) {
      throw new NotCovered("SUBSTRING with other arguments than whole numbers");
    }
    return expressions().call(ScalarFunction.SUBSTRING, arguments);
  }

  private RexNode choose(List<RexNode> arguments) {
    if (arguments.size() != 3) {
      throw new NotCovered("IF without three arguments");
    }
    List<RexNode> operands = new ArrayList<>(arguments);
    operands.set(0, expressions().condition(arguments.getFirst()));
    return new Choices(expressions()).choose(operands);
  }

  /** A mysqld computes constants before its conditions, where NULLIF takes them for NULL then. */
  private RexNode nullIf(Expr first, List<RexNode> arguments) {
    RexNode value = arguments.getFirst();
    boolean written = first.bare() instanceof Expr.Slot || first.bare() instanceof Expr.Literal;
    boolean negative =
        value instanceof RexLiteral literal
            && expressions().type(value).kind().isNumber()
            && literal.getValueAs(BigDecimal.class) instanceof BigDecimal number
            && number.signum() < 0;
    if ((!written || negative) && RelOptUtil.InputFinder.bits(value).isEmpty()) {
      throw new NotCovered("NULLIF of a constant that is computed");
    }
    RexNode equal = expressions().compare(ScalarFunction.EQUAL, arguments.get(0), arguments.get(1));
    return new Choices(expressions()).choose(List.of(equal, expressions().nothing(), value));
  }

  private RexNode numeric(ScalarFunction function, List<RexNode> arguments, int count) {
    if (arguments.size() != count) {
      throw new NotCovered("the function " + function + " of " + arguments.size() + " arguments");
    }
    return expressions().call(function, arguments);
  }

  private RexNode dateDifference(List<RexNode> arguments) {
    List<RexNode> dates = new ArrayList<>();
    for (RexNode argument : arguments) {
      boolean text = expressions().type(argument).kind() == ValueKind.STRING;
      if (text && !(argument instanceof RexLiteral)) {
        throw new NotCovered("DATEDIFF of strings");
      }
      dates.add(
          argument instanceof RexLiteral literal && text
              ? TemporalText.parse(Expressions.text(literal)).literal(expressions())
              : argument);
    }
    return expressions().call(ScalarFunction.DATEDIFF, dates);
  }

  private RexNode cast(Expr.Call call, RexNode value) {
    ValueType from = expressions().type(value);
    boolean nullable = from.nullable();
    if (!from.kind().isNumber() && !(from.kind().isTemporal() && call.type().equals("DATE"))) {
      throw new NotCovered("CAST of " + from);
    }
    ValueType to =
        switch (call.type()) {
          case "SIGNED" -> ValueType.bigint(nullable);
          case "UNSIGNED" -> ValueType.unsigned(nullable);
          case "DOUBLE" -> ValueType.floating(nullable);
          case "DATE" -> ValueType.date(nullable);
          case "DECIMAL" -> {
            Matcher digits = DECIMAL.matcher(context.source(call.span()));
            int scale =
                digits.matches() && digits.group(2) != null ? Integer.parseInt(digits.group(2)) : 0;
            yield ValueType.decimal(
                digits.matches() ? Integer.parseInt(digits.group(1)) : 10, scale, nullable);
          }
          default -> throw new NotCovered("CAST to " + call.type());
        };
    if (!isTaken(from, to)) {
      throw new NotCovered("CAST of " + from + " to " + to);
    }
    return expressions().cast(value, to);
  }

  /** A number that does not fit becomes the nearest one that does, with a warning. */
  private static boolean isTaken(ValueType from, ValueType to) {
    return switch (to.kind()) {
      case DATE -> from.kind().isTemporal();
      case DOUBLE -> from.kind() != ValueKind.UNSIGNED;
      case UNSIGNED -> from.kind().isWhole();
      case BIGINT -> from.kind().isExact();
      case DECIMAL ->
          (from.kind() == ValueKind.BIGINT || from.kind() == ValueKind.DECIMAL)
              && from.integerDigits() < to.integerDigits() + (to.scale() >= from.scale() ? 1 : 0);
      case DATETIME, STRING -> false;
    };
  }
}
