package io.alrai.optimizer.route.select;

import io.alrai.optimizer.api.text.Span;
import io.alrai.optimizer.syntax.Mention;
import io.alrai.optimizer.syntax.Query;
import io.alrai.optimizer.syntax.SourceText;
import io.alrai.optimizer.syntax.TableRef;
import java.util.List;

/** What the types and names of a query's result columns hang on. */
final class ResultShape {
  private ResultShape() {}

  /**
   * Whether the shape alone decides them, whatever literals and user variables stand in it.
   *
   * @param views where derived tables stand for views, which are tables to the client
   */
  static boolean decides(Query query, SourceText text, List<Span> views) {
    Span decisive = decisive(query, views);
    boolean variables =
        text.mentions().stream()
            .anyMatch(mention ->
                mention.what() == Mention.What.VARIABLE
                    && !mention.text().startsWith("@@")
                    && decisive.holds(mention.span()));
    return !variables && text.slots().stream().noneMatch(decisive::holds);
  }

  /** The list of a block over tables; of any other query all of it. */
  private static Span decisive(Query query, List<Span> views) {
    return query.with().isEmpty()
            && query.body() instanceof Query.Block block
            && areTables(block.from(), views)
        ? block.selection().span()
        : query.span();
  }

  private static boolean areTables(List<TableRef> items, List<Span> views) {
    return items.stream()
        .allMatch(item ->
            switch (item) {
              case TableRef.Named named -> true;
              case TableRef.Join join -> areTables(List.of(join.left(), join.right()), views);
              case TableRef.Group group -> areTables(group.items(), views);
              case TableRef.Derived derived -> views.contains(derived.span());
              case TableRef.Function function -> false;
            });
  }
}
