package io.alrai.optimizer.route.select;

import io.alrai.common.type.MysqlType;
import io.alrai.gms.api.Column;
import io.alrai.optimizer.bind.Scope;
import io.alrai.optimizer.syntax.Expr;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * Values of the function YEAR that a UNION would store in columns of type YEAR, which holds no year
 * before 1901. Beside a date the same function is compared as a year, a number is not.
 */
final class YearColumns {
  /** Functions of which all arguments make the type. */
  private static final Set<String> CHOICES = Set.of("IFNULL", "COALESCE", "GREATEST", "LEAST");

  /** Functions that give an argument of one of their rows. */
  private static final Set<String> OF_ROWS =
      Set.of("MAX", "MIN", "ANY_VALUE", "FIRST_VALUE", "LAST_VALUE", "NTH_VALUE", "LAG", "LEAD");

  private final Scope scope;
  private final List<Expr> found = new ArrayList<>();

  private YearColumns(Scope scope) {
    this.scope = scope;
  }

  /** What of an expression has to become a number, so that its column does. */
  static List<Expr> in(Expr shown, Scope scope) {
    YearColumns years = new YearColumns(scope);
    years.collect(shown);
    return years.found;
  }

  /** Whether an expression has the function in it. */
  private static boolean calls(Expr expr) {
    boolean[] calls = {false};
    expr.walk(each -> calls[0] |= isCall(each));
    return calls[0];
  }

  /** Whether an expression is the function. */
  static boolean isCall(Expr expr) {
    return expr instanceof Expr.Call call && call.name().equals("YEAR");
  }

  private void collect(Expr expr) {
    if (expr.bare() instanceof Expr.Call call && OF_ROWS.contains(call.name())) {
      call.arguments().forEach(this::collect);
    } else if (isYear(expr) && calls(expr)) {
      found.add(expr);
    }
  }

  private boolean isYear(Expr expr) {
    return switch (expr.bare()) {
      case Expr.Name name ->
          scope.column(name).map(Column::type).filter(MysqlType.YEAR::equals).isPresent();
      case Expr.Case branches -> areYears(branches.results());
      case Expr.Call call -> isCall(call) || areYears(chosen(call).orElse(List.of()));
      case Expr.Star _,
          Expr.Slot _,
          Expr.Literal _,
          Expr.Variable _,
          Expr.Parenthesised _,
          Expr.Row _,
          Expr.Operation _,
          Expr.InList _,
          Expr.OverQuery _ ->
          false;
    };
  }

  private static Optional<List<Expr>> chosen(Expr.Call call) {
    List<Expr> arguments = call.arguments();
    return switch (call.name()) {
      case "IF" -> Optional.of(arguments.subList(1, arguments.size()));
      case "NULLIF" -> Optional.of(arguments.subList(0, 1));
      default -> Optional.of(arguments).filter(all -> CHOICES.contains(call.name()));
    };
  }

  private boolean areYears(List<Expr> values) {
    return values.stream().allMatch(value -> isNull(value) || isYear(value))
        && values.stream().anyMatch(this::isYear);
  }

  private static boolean isNull(Expr value) {
    return value.bare() instanceof Expr.Literal literal && literal.text().equalsIgnoreCase("NULL");
  }
}
