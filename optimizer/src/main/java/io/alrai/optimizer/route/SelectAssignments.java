package io.alrai.optimizer.route;

import io.alrai.optimizer.api.text.Span;
import io.alrai.optimizer.shardsql.SessionMentions;
import io.alrai.optimizer.syntax.Query;
import io.alrai.optimizer.syntax.Statement;
import io.alrai.optimizer.syntax.TableRef;
import java.util.ArrayList;
import java.util.List;

/**
 * What a SELECT assigns as it goes from row to row: user variables, and LAST_INSERT_ID(expression).
 *
 * @param any whether it does
 * @param ofResultRows whether only the rows that its conditions leave count, as it assigns in its
 *     list alone, or beside in a query without tables: {@code (SELECT @n := 0) init}
 */
public record SelectAssignments(boolean any, boolean ofResultRows) {
  /** Those of a statement; of others than SELECT none. */
  public static SelectAssignments of(Planning planning) {
    if (!(planning.tree() instanceof Statement.Select select)) {
      return new SelectAssignments(false, true);
    }
    List<Span> places = SessionMentions.assignments(planning.text());
    List<Span> ofRows = new ArrayList<>();
    body(select.query().body(), ofRows);
    boolean only =
        places.stream().allMatch(place -> ofRows.stream().anyMatch(span -> span.holds(place)));
    return new SelectAssignments(!places.isEmpty(), only);
  }

  private static void body(Query.Body body, List<Span> ofRows) {
    switch (body) {
      case Query.Block block -> {
        block.selection().items().stream()
            .filter(item -> item.expr().allQueries().isEmpty())
            .forEach(item -> ofRows.add(item.span()));
        block.from().forEach(item -> withoutTables(item, ofRows));
      }
      case Query.SetOperation operation -> {
        body(operation.left(), ofRows);
        body(operation.right(), ofRows);
      }
      case Query.Nested nested -> body(nested.query().body(), ofRows);
      case Query.WholeTable _, Query.Values _ -> {}
    }
  }

  private static void withoutTables(TableRef item, List<Span> ofRows) {
    switch (item) {
      case TableRef.Derived derived -> {
        if (derived.query().body() instanceof Query.Block block && block.from().isEmpty()) {
          body(block, ofRows);
        }
      }
      case TableRef.Join join -> {
        withoutTables(join.left(), ofRows);
        withoutTables(join.right(), ofRows);
      }
      case TableRef.Group group -> group.items().forEach(inner -> withoutTables(inner, ofRows));
      case TableRef.Named _, TableRef.Function _ -> {}
    }
  }
}
