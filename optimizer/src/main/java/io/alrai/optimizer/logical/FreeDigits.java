package io.alrai.optimizer.logical;

import io.alrai.executor.fragment.ScalarFunction;
import io.alrai.executor.fragment.ValueKind;
import java.util.function.IntPredicate;
import org.apache.calcite.rex.RexCall;
import org.apache.calcite.rex.RexInputRef;
import org.apache.calcite.rex.RexNode;
import org.apache.calcite.rex.RexSubQuery;

/**
 * Averages of exact numbers: MySQL computes with more digits of them than their type has, until
 * they are sent or stored. The executor's AVG has these digits; a column of a result is cast to its
 * type.
 *
 * @param averages which columns of the input are such
 */
record FreeDigits(Expressions expressions, IntPredicate averages) {
  /** Whether a value may have more digits than its type. */
  boolean in(RexNode node) {
    return expressions.type(node).kind() == ValueKind.DECIMAL
        && Expressions.has(node, this::isFree);
  }

  private boolean isFree(RexNode part) {
    return switch (part) {
      case RexInputRef column -> averages.test(column.getIndex());
      case RexSubQuery query -> true;
      case RexCall call -> call.getOperator() == Functions.SUBQUERY_VALUE;
      default -> false;
    };
  }

  /** A column of a result. */
  RexNode fitted(RexNode column, QueryUse use) {
    if (!in(column) || use == QueryUse.VALUE) {
      return column;
    }
    if (use == QueryUse.LIST) {
      throw new NotCovered("IN over averages");
    }
    return expressions.cast(column, expressions.type(column));
  }

  /** A call that was made: how many digits a quotient has depends on those of its dividend. */
  void checkQuotient(RexNode node) {
    if (node instanceof RexCall call
        && call.getOperator() == Functions.operator(ScalarFunction.DIVIDE)
        && in(call.getOperands().getFirst())) {
      throw new NotCovered("a quotient of an average or of a subquery's value");
    }
  }
}
