package io.alrai.optimizer.route;

import io.alrai.executor.fragment.MergePlan.RowKey;
import io.alrai.executor.fragment.MergePlan.SortKey;
import io.alrai.executor.fragment.SqlTemplate;
import io.alrai.optimizer.api.sql.SqlBuilder;
import io.alrai.optimizer.route.RowColumns.Comparison;
import io.alrai.optimizer.shardsql.TextEdits;
import io.alrai.optimizer.syntax.Expr;
import io.alrai.optimizer.syntax.Expr.Operator;
import io.alrai.optimizer.syntax.Expr.OrderItem;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * ORDER BY of rows that shards deliver sorted.
 *
 * @param keys how sorted rows are merged
 * @param orderBy the clause for a shard, with a blank before it; empty for none
 */
public record SortedRows(List<SortKey> keys, SqlTemplate orderBy) {
  /**
   * Reads ORDER BY; hidden columns that merging needs are added to {@code columns}.
   *
   * @param visibleOnly whether the keys must be columns of the select list
   * @return empty where only a mysqld can tell the order
   */
  public static Optional<SortedRows> of(
      List<OrderItem> items,
      SelectList list,
      RowColumns columns,
      TextEdits edits,
      Planning planning,
      boolean visibleOnly) {
    List<SortKey> keys = new ArrayList<>();
    SqlBuilder orderBy = new SqlBuilder();
    for (OrderItem item : items) {
      if (planning.literals().isParameter(item.expr()) || isOfConstants(item.expr())) {
        continue; // a parameter is a constant, never a position
      }
      Optional<SelectList.Meaning> meaning = list.meaning(item.expr(), true);
      boolean told = meaning.isPresent() && meaning.get().comparison() != Comparison.NONE;
      if (!told || (visibleOnly && meaning.get().index() < 0)) {
        return Optional.empty();
      }
      RowKey key =
          columns.key(
              meaning.get().index(),
              meaning.get().sql(),
              meaning.get().comparison(),
              meaning.get().column(),
              planning.asciiWeights(meaning.get().column()));
      orderBy.text(keys.isEmpty() ? " ORDER BY " : ", ");
      append(orderBy, item, key, edits, planning);
      keys.add(new SortKey(key, item.descending()));
    }
    return Optional.of(new SortedRows(keys, orderBy.build()));
  }

  /** Whether it is made of constants: MySQL computes none of these, and so meets no error. */
  private static boolean isOfConstants(Expr key) {
    if (!(key.bare() instanceof Expr.Operation)) {
      return false;
    }
    boolean[] constant = {true};
    key.walk(expr ->
        constant[0] &=
            switch (expr) {
              case Expr.Slot slot -> true;
              case Expr.Literal literal -> true;
              case Expr.Parenthesised inner -> true;
              case Expr.Case branches -> true;
              case Expr.Operation operation -> operation.operator() != Operator.ASSIGN;
              case Expr.Name _,
                  Expr.Star _,
                  Expr.Variable _,
                  Expr.Row _,
                  Expr.InList _,
                  Expr.OverQuery _,
                  Expr.Call _ ->
                  false;
            });
    return constant[0];
  }

  /** What differs at every evaluation is sorted by its column, else the client's text serves. */
  private static void append(
      SqlBuilder orderBy, OrderItem item, RowKey key, TextEdits edits, Planning planning) {
    boolean[] unrepeatable = new boolean[1];
    item.expr()
        .walk(inner -> unrepeatable[0] |= StoredCalls.isUnrepeatable(inner, planning.names()));
    if (unrepeatable[0]) {
      orderBy.text(Integer.toString(key.column() + 1)).text(item.descending() ? " DESC" : "");
    } else {
      edits.append(orderBy, item.span());
    }
  }
}
