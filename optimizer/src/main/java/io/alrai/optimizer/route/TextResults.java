package io.alrai.optimizer.route;

import io.alrai.optimizer.syntax.Expr;
import io.alrai.optimizer.syntax.Query;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * Expressions whose results a column takes as strings, although they are dates, times or documents:
 * those that choose among values of several types. Columns and functions of dates give what they
 * are.
 */
public final class TextResults {
  private static final Set<String> CHOOSING =
      Set.of(
          "COALESCE",
          "IFNULL",
          "IF",
          "NULLIF",
          "GREATEST",
          "LEAST",
          "MIN",
          "MAX",
          "ANY_VALUE",
          "LAG",
          "LEAD",
          "FIRST_VALUE",
          "LAST_VALUE",
          "NTH_VALUE");

  private static final Set<String> DOCUMENTS =
      Set.of(
          "JSON_ARRAY",
          "JSON_OBJECT",
          "JSON_EXTRACT",
          "JSON_SET",
          "JSON_INSERT",
          "JSON_REPLACE",
          "JSON_REMOVE",
          "JSON_ARRAY_APPEND",
          "JSON_ARRAY_INSERT",
          "JSON_MERGE",
          "JSON_MERGE_PATCH",
          "JSON_MERGE_PRESERVE",
          "JSON_ARRAYAGG",
          "JSON_OBJECTAGG");

  private TextResults() {}

  /** Whether it is such an expression. */
  static boolean isOne(Expr expr) {
    return expr instanceof Expr.Case
        || (expr instanceof Expr.Call call && CHOOSING.contains(call.name()));
  }

  /** Whether its result is a document for sure. */
  static boolean isDocument(Expr expr) {
    return switch (expr) {
      case Expr.Call call ->
          DOCUMENTS.contains(call.name())
              || (call.name().equals("CAST") && call.type().equals("JSON"));
      case Expr.Operation operation -> operation.symbol().equals("->");
      case Expr.Leaf _,
          Expr.Parenthesised _,
          Expr.Row _,
          Expr.Case _,
          Expr.InList _,
          Expr.OverQuery _ ->
          false;
    };
  }

  /** Which columns of a query are such ones; none where a star stands among them. */
  public static Set<Integer> among(Query query) {
    Set<Integer> texts = new HashSet<>();
    if (query.body() instanceof Query.Block block) {
      List<Query.SelectItem> items = block.selection().items();
      for (int i = 0; i < items.size(); i++) {
        if (items.get(i).expr() instanceof Expr.Star) {
          return Set.of();
        }
        if (isOne(items.get(i).expr())) {
          texts.add(i);
        }
      }
    }
    return texts;
  }
}
