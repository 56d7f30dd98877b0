package io.alrai.optimizer.route;

import io.alrai.gms.api.Column;
import io.alrai.optimizer.bind.Scope;
import io.alrai.optimizer.syntax.Expr;
import java.util.Set;

/**
 * Sums that may have fewer digits than their types, as those of CASE, whose values keep their own.
 * MySQL divides with the digits that the rows have, which a partial sum does not tell.
 */
public final class LooseSums {
  private static final Set<String> CHOICES =
      Set.of("IF", "IFNULL", "COALESCE", "GREATEST", "LEAST");

  /** How many digits after the decimal point are within a quotient's first word of nine. */
  private static final int DIGITS_OF_A_WORD = 5;

  private LooseSums() {}

  /**
   * Whether the sum of an expression is one: it chooses among values, and has a quotient, a long
   * decimal, or a product of decimals.
   */
  public static boolean of(Expr argument, Scope scope) {
    boolean[] chooses = {false};
    boolean[] isLong = {false};
    argument.walk(expr -> {
      chooses[0] |=
          expr instanceof Expr.Case
              || expr instanceof Expr.Call call && CHOICES.contains(call.name());
      isLong[0] |= hasManyDigits(expr, scope);
    });
    return chooses[0] && isLong[0];
  }

  private static boolean hasManyDigits(Expr expr, Scope scope) {
    return switch (expr) {
      case Expr.Operation operation ->
          operation.symbol().equals("/")
              || (operation.symbol().equals("*") && digits(operation, scope) > DIGITS_OF_A_WORD);
      case Expr.Name name -> digits(name, scope) > DIGITS_OF_A_WORD;
      case Expr.Star _,
          Expr.Slot _,
          Expr.Literal _,
          Expr.Variable _,
          Expr.Parenthesised _,
          Expr.Row _,
          Expr.Case _,
          Expr.InList _,
          Expr.OverQuery _,
          Expr.Call _ ->
          false;
    };
  }

  /**
   * At most so many digits after the decimal point come from columns: a product has those of all.
   */
  private static int digits(Expr expr, Scope scope) {
    int[] digits = {0};
    expr.walk(inner -> {
      if (inner instanceof Expr.Name name) {
        digits[0] += scope.column(name).map(Column::scale).orElse(0);
      }
    });
    return digits[0];
  }
}
