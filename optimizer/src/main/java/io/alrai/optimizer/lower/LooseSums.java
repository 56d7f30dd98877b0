package io.alrai.optimizer.lower;

import io.alrai.gms.api.Column;
import io.alrai.optimizer.bind.Scope;
import io.alrai.optimizer.syntax.Expr;
import java.util.Set;

/**
 * Sums that may have fewer digits than their types, as those of CASE, whose values keep their own.
 * MySQL divides with the digits that the rows have, which a partial sum does not tell.
 */
final class LooseSums {
  private static final Set<String> CHOICES =
      Set.of("IF", "IFNULL", "COALESCE", "GREATEST", "LEAST");

  /** So many digits behind the point are within a quotient's first word of nine. */
  private static final int DIGITS_OF_A_WORD = 5;

  private LooseSums() {}

  /** Whether the sum of an expression is one: it chooses among quotients or long decimals. */
  static boolean of(Expr argument, Scope scope) {
    boolean[] found = {false};
    argument.walk(expr -> {
      boolean choice =
          expr instanceof Expr.Case
              || expr instanceof Expr.Call call && CHOICES.contains(call.name());
      found[0] |= choice && hasManyDigits(expr, scope);
    });
    return found[0];
  }

  private static boolean hasManyDigits(Expr choice, Scope scope) {
    boolean[] found = {false};
    choice.walk(expr -> {
      switch (expr) {
        case Expr.Operation operation -> found[0] |= operation.symbol().equals("/");
        case Expr.Name name ->
            found[0] |= scope.column(name).map(Column::scale).filter(LooseSums::isLong).isPresent();
        default -> {}
      }
    });
    return found[0];
  }

  private static boolean isLong(int scale) {
    return scale > DIGITS_OF_A_WORD;
  }
}
