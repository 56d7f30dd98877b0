package io.alrai.optimizer.route;

import io.alrai.common.error.AlraiException;
import io.alrai.common.error.ErrorCode;
import io.alrai.optimizer.api.text.Span;
import io.alrai.optimizer.syntax.Query;
import io.alrai.optimizer.syntax.TableRef;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;

/** What subqueries of a write must not read: the tables that it writes. */
public final class ReadTables {
  private ReadTables() {}

  /** The error for a table that is written and read. */
  public static AlraiException usedTarget(String name) {
    return new AlraiException(
        ErrorCode.ER_UPDATE_TABLE_USED,
        "You can't specify target table '" + name + "' for update in FROM clause");
  }

  /** Tables that a query reads itself; those of derived tables are read before the write. */
  public static void add(Query.Body body, Set<Span> found) {
    switch (body) {
      case Query.Block block -> {
        block.from().forEach(item -> add(item, found));
        List<Query> inner = new ArrayList<>();
        block.where().ifPresent(where -> inner.addAll(where.allQueries()));
        block.selection().items().forEach(item -> inner.addAll(item.expr().allQueries()));
        inner.forEach(query -> add(query.body(), found));
      }
      case Query.SetOperation operation -> {
        add(operation.left(), found);
        add(operation.right(), found);
      }
      case Query.Nested nested -> add(nested.query().body(), found);
      case Query.WholeTable whole -> found.add(whole.table().span());
      case Query.Values none -> {}
    }
  }

  private static void add(TableRef item, Set<Span> found) {
    switch (item) {
      case TableRef.Named table -> found.add(table.span());
      case TableRef.Join join -> {
        add(join.left(), found);
        add(join.right(), found);
      }
      case TableRef.Group group -> group.items().forEach(inner -> add(inner, found));
      case TableRef.Derived derived -> {}
      case TableRef.Function function -> {}
    }
  }
}
