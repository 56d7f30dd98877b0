package io.alrai.optimizer.logical;

import io.alrai.executor.fragment.AggregateFunction;
import io.alrai.executor.fragment.ScalarFunction;
import io.alrai.executor.fragment.TextCollation;
import io.alrai.executor.fragment.ValueKind;
import java.math.BigDecimal;
import java.util.BitSet;
import java.util.List;
import org.apache.calcite.plan.RelOptUtil;
import org.apache.calcite.rex.RexCall;
import org.apache.calcite.rex.RexInputRef;
import org.apache.calcite.rex.RexLiteral;
import org.apache.calcite.rex.RexNode;
import org.apache.calcite.sql.SqlKind;

/**
 * Refuses what MySQL computes in another way than the executor, so that the row store answers and
 * EXPLAIN has the reason. One thread.
 */
final class Coverage {
  private static final int FIRST_YEAR = 1901;
  private static final int LAST_YEAR = 2155;

  /** How many digits after the decimal point are within a quotient's first word of nine. */
  private static final int DIGITS_OF_A_WORD = 5;

  /** An average has up to nine more. */
  private static final int MOST_DIGITS_OF_AVERAGE = 18;

  private final Expressions expressions;

  Coverage(Expressions expressions) {
    this.expressions = expressions;
  }

  /** A call that is about to be made. */
  void check(ScalarFunction function, List<RexNode> arguments) {
    switch (function) {
      case EQUAL, NOT_EQUAL, LESS, LESS_EQUAL, GREATER, GREATER_EQUAL, NULL_SAFE_EQUAL ->
          comparison(arguments.get(0), arguments.get(1));
      case ADD, SUBTRACT, MULTIPLY, DIVIDE, INTEGER_DIVIDE, MODULO, NEGATE, ABS ->
          arithmetic(function, arguments);
      case SUBSTRING -> {
        if (expressions.type(arguments.getFirst()).collation() == TextCollation.BINARY) {
          throw new NotCovered("SUBSTRING of a binary string");
        }
      }
      default -> {}
    }
  }

  private void comparison(RexNode left, RexNode right) {
    year(left, right);
    year(right, left);
    boolean one = isBigUnsigned(left);
    if (one != isBigUnsigned(right) && !Expressions.isNull(left) && !Expressions.isNull(right)) {
      throw new NotCovered("a comparison of BIGINT UNSIGNED with another type");
    }
  }

  private boolean isBigUnsigned(RexNode node) {
    return expressions.type(node).kind() == ValueKind.UNSIGNED;
  }

  /** MySQL reads a constant as a YEAR first: 99 is 1999 then. */
  private void year(RexNode value, RexNode other) {
    boolean constant = RelOptUtil.InputFinder.bits(other).isEmpty();
    if (!ValueTypes.isYear(value.getType()) || !constant || Expressions.isNull(other)) {
      return;
    }
    BigDecimal number =
        other instanceof RexLiteral literal && expressions.type(other).kind().isExact()
            ? literal.getValueAs(BigDecimal.class)
            : null;
    boolean same =
        number != null
            && number.stripTrailingZeros().scale() <= 0
            && number.compareTo(BigDecimal.valueOf(FIRST_YEAR)) >= 0
            && number.compareTo(BigDecimal.valueOf(LAST_YEAR)) <= 0;
    if (!same) {
      throw new NotCovered("a YEAR beside a constant that is no year of four digits");
    }
  }

  private void arithmetic(ScalarFunction function, List<RexNode> arguments) {
    if (arguments.stream().anyMatch(this::isBigUnsigned)) {
      throw new NotCovered("arithmetic with BIGINT UNSIGNED");
    }
    boolean whole =
        arguments.stream().allMatch(argument -> expressions.type(argument).kind().isWhole());
    boolean unsigned =
        arguments.stream().anyMatch(argument -> ValueTypes.isUnsigned(argument.getType()));
    switch (function) {
      case ADD, SUBTRACT, MULTIPLY, INTEGER_DIVIDE -> {
        // a result below 0 is an error then
        if (whole && unsigned) {
          throw new NotCovered("arithmetic with numbers that have no sign");
        }
        if (function == ScalarFunction.INTEGER_DIVIDE && !whole) {
          throw new NotCovered("DIV of numbers that are not whole");
        }
      }
      case DIVIDE -> {
        if (new FreeDigits(expressions, column -> false).in(arguments.getFirst())) {
          throw new NotCovered("a quotient of a subquery's value");
        }
        if (hasLooseDigits(arguments.getFirst())) {
          throw new NotCovered("a quotient of a choice among decimals of different digits");
        }
      }
      default -> {}
    }
  }

  /** The argument of an aggregate function. */
  void check(AggregateFunction function, RexNode argument) {
    if (function != AggregateFunction.SUM && function != AggregateFunction.AVG) {
      return;
    }
    if (isBigUnsigned(argument)) {
      throw new NotCovered("a sum of BIGINT UNSIGNED");
    }
    if (function == AggregateFunction.AVG
        && expressions.type(argument).scale() > MOST_DIGITS_OF_AVERAGE) {
      throw new NotCovered("an average of more than 18 digits after the point");
    }
    if (hasLooseDigits(argument)) {
      throw new NotCovered("a sum of a choice among decimals of different digits");
    }
  }

  /**
   * A column of a result: what CASE chooses keeps its own digits there, or gets those of the
   * others, as MySQL's plan has a temporary table or not; a YEAR that is 0 has one digit or four.
   */
  void checkColumn(RexNode column) {
    if (column.getKind() == SqlKind.CASE && isLoose(column) || hasLooseDigits(column)) {
      throw new NotCovered("a choice among decimals of different digits as a column");
    }
    if (ValueTypes.isYear(column.getType()) && !(column instanceof RexInputRef)) {
      throw new NotCovered("a choice of a YEAR as a column");
    }
  }

  /**
   * A call over groups. A divisor with digits after the decimal point adds a word to the quotient.
   *
   * @param sums columns of the groups that may have fewer digits than their types
   */
  void checkQuotient(RexNode node, BitSet sums) {
    if (!(node instanceof RexCall call)
        || call.getOperator() != Functions.operator(ScalarFunction.DIVIDE)) {
      return;
    }
    RexNode dividend = call.getOperands().get(0);
    int divisor = expressions.type(call.getOperands().get(1)).scale();
    if (divisor == 0
        && expressions.type(dividend).scale() > DIGITS_OF_A_WORD
        && RelOptUtil.InputFinder.bits(dividend).asSet().stream().anyMatch(sums::get)) {
      throw new NotCovered("a quotient of a choice among decimals of different digits");
    }
  }

  /** Whether the digits that MySQL divides with can be fewer than those of the type. */
  private boolean hasLooseDigits(RexNode node) {
    return expressions.type(node).scale() > DIGITS_OF_A_WORD && hasChoice(node);
  }

  /** Whether digits of its value can be fewer than those of its type. */
  boolean hasChoice(RexNode node) {
    return expressions.type(node).kind() == ValueKind.DECIMAL
        && Expressions.has(node, this::isLoose);
  }

  /** Whether it chooses among exact numbers that had to be brought to one scale. */
  private boolean isLoose(RexNode node) {
    return isChoice(node)
        && expressions.type(node).kind() == ValueKind.DECIMAL
        && ((RexCall) node)
            .getOperands().stream().anyMatch(value -> isBrought(value) || isLoose(value));
  }

  private static boolean isChoice(RexNode node) {
    return node.getKind() == SqlKind.CASE
        || node instanceof RexCall call
            && call.getOperator() == Functions.operator(ScalarFunction.COALESCE);
  }

  private boolean isBrought(RexNode value) {
    return value.getKind() == SqlKind.CAST
        && expressions.type(((RexCall) value).getOperands().getFirst()).kind().isExact();
  }
}
