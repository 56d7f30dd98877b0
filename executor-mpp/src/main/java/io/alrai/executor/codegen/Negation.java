package io.alrai.executor.codegen;

import io.alrai.executor.fragment.Scalar;
import io.alrai.executor.fragment.ScalarFunction;
import java.util.List;
import java.util.Optional;

/** NOT, moved inwards as far as three-valued logic allows. */
final class Negation {
  private Negation() {}

  /** What NOT of a comparison, AND, OR or NOT is without the NOT; empty for anything else. */
  static Optional<Scalar> of(Scalar.Call call) {
    if (call.function() != ScalarFunction.NOT
        || !(call.arguments().getFirst() instanceof Scalar.Call inner)) {
      return Optional.empty();
    }
    return switch (inner.function()) {
      case AND, OR -> {
        List<Scalar> parts = inner.arguments().stream().map(Negation::negate).toList();
        ScalarFunction other =
            inner.function() == ScalarFunction.AND ? ScalarFunction.OR : ScalarFunction.AND;
        yield Optional.of(new Scalar.Call(other, parts, inner.type()));
      }
      case EQUAL, NOT_EQUAL, LESS, LESS_EQUAL, GREATER, GREATER_EQUAL ->
          Optional.of(new Scalar.Call(opposite(inner.function()), inner.arguments(), inner.type()));
      default -> Optional.empty();
    };
  }

  /** NOT of a condition. */
  static Scalar negate(Scalar condition) {
    Scalar.Call not = new Scalar.Call(ScalarFunction.NOT, List.of(condition), condition.type());
    return of(not).orElse(not);
  }

  static ScalarFunction opposite(ScalarFunction comparison) {
    return switch (comparison) {
      case EQUAL -> ScalarFunction.NOT_EQUAL;
      case NOT_EQUAL -> ScalarFunction.EQUAL;
      case LESS -> ScalarFunction.GREATER_EQUAL;
      case LESS_EQUAL -> ScalarFunction.GREATER;
      case GREATER -> ScalarFunction.LESS_EQUAL;
      case GREATER_EQUAL -> ScalarFunction.LESS;
      default -> throw new IllegalStateException(comparison + " is no comparison");
    };
  }
}
