package io.alrai.optimizer.route;

import io.alrai.gms.api.Column;
import io.alrai.optimizer.bind.Scope;
import io.alrai.optimizer.syntax.Expr;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;

/**
 * Strings that are made of columns of one character set and several collations, none of which wins:
 * the result has none of its own (MySQL's manual, "Collation Coercibility in Expressions"). A
 * SELECT may show it and sort by it, but a UNION refuses it with error 1271.
 */
public final class MixedCollations {
  /** Functions whose results have the collation of their arguments. */
  private static final Set<String> OF_ARGUMENTS =
      Set.of(
          """
          ANY_VALUE COALESCE CONCAT CONCAT_WS ELT FIRST_VALUE GROUP_CONCAT IF IFNULL INSERT LAG
          LAST_VALUE LCASE LEAD LEFT LOWER LPAD LTRIM MAKE_SET MAX MID MIN NTH_VALUE NULLIF QUOTE
          REPEAT REPLACE REVERSE RIGHT RPAD RTRIM SUBSTR SUBSTRING SUBSTRING_INDEX TRIM UCASE UPPER
          """
              .strip()
              .split("\\s+"));

  private final Scope scope;

  /** Of columns that do not compare by codes, by character set. */
  private final Map<String, Set<String>> collations = new HashMap<>();

  private MixedCollations(Scope scope) {
    this.scope = scope;
  }

  /** Whether the value of an expression is such a string. */
  public static boolean in(Expr expr, Scope scope) {
    MixedCollations found = new MixedCollations(scope);
    found.collect(expr);
    return found.collations.values().stream().anyMatch(each -> each.size() > 1);
  }

  private void collect(Expr expr) {
    switch (expr) {
      case Expr.Name name -> scope.column(name).ifPresent(this::add);
      case Expr.Parenthesised inner -> collect(inner.inner());
      case Expr.Case branches -> branches.results().forEach(this::collect);
      case Expr.Call call when OF_ARGUMENTS.contains(call.name()) ->
          call.arguments().forEach(this::collect);
      case Expr.Call _,
          Expr.Star _,
          Expr.Slot _,
          Expr.Literal _,
          Expr.Variable _,
          Expr.Row _,
          Expr.Operation _,
          Expr.InList _,
          Expr.OverQuery _ -> {}
    }
  }

  private void add(Column column) {
    if (!column.collation().isEmpty() && !column.collation().endsWith("_bin")) {
      collations
          .computeIfAbsent(column.charset(), charset -> new HashSet<>())
          .add(column.collation());
    }
  }
}
