package io.alrai.optimizer.logical;

import io.alrai.executor.fragment.ScalarFunction;
import io.alrai.executor.fragment.ValueKind;
import java.math.BigDecimal;
import java.util.List;
import java.util.Optional;
import org.apache.calcite.rex.RexLiteral;
import org.apache.calcite.rex.RexNode;

/** Sums, differences and products of decimals that are written out become one. */
final class Constants {
  private Constants() {}

  /** A call, or the literal that it is. */
  static RexNode fold(Expressions expressions, ScalarFunction function, List<RexNode> arguments) {
    RexNode call = expressions.call(function, arguments);
    Optional<BigDecimal> left = exact(expressions, arguments.get(0));
    Optional<BigDecimal> right = exact(expressions, arguments.get(1));
    if (left.isEmpty() || right.isEmpty()) {
      return call;
    }
    BigDecimal value;
    switch (function) {
      case ADD -> value = left.get().add(right.get());
      case SUBTRACT -> value = left.get().subtract(right.get());
      case MULTIPLY -> value = left.get().multiply(right.get());
      default -> {
        return call;
      }
    }
    if (expressions.type(call).kind() == ValueKind.DECIMAL) {
      int scale = expressions.type(call).scale();
      return value.scale() > scale ? call : expressions.exact(value.setScale(scale));
    }
    return value.toBigInteger().bitLength() < Long.SIZE
        ? expressions.whole(value.longValueExact())
        : call;
  }

  private static Optional<BigDecimal> exact(Expressions expressions, RexNode node) {
    if (!(node instanceof RexLiteral literal) || literal.isNull()) {
      return Optional.empty();
    }
    ValueKind kind = expressions.type(node).kind();
    return kind == ValueKind.BIGINT || kind == ValueKind.DECIMAL
        ? Optional.ofNullable(literal.getValueAs(BigDecimal.class))
        : Optional.empty();
  }
}
