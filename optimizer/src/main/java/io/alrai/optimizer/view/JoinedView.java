package io.alrai.optimizer.view;

import io.alrai.optimizer.syntax.TableRef;
import java.util.List;

/** Where a view that is written stands among joins. Pure. */
final class JoinedView {
  private JoinedView() {}

  /**
   * Whether the view's table can stand in its place, with the view's condition in WHERE: no join
   * adds rows without one of the view's, or compares the columns of the two by their names.
   */
  static boolean isPlain(List<TableRef> items, TableRef.Named table, WritableView view) {
    return items.stream().allMatch(item -> isPlain(item, table, view, false));
  }

  private static boolean isPlain(
      TableRef item, TableRef.Named table, WritableView view, boolean missing) {
    return switch (item) {
      case TableRef.Named named -> !(missing && named.equals(table)) || view.conditions().isEmpty();
      case TableRef.Join join ->
          !(join.kind().natural() && TableRef.named(List.of(join)).contains(table))
              && join.using().stream().allMatch(column -> hasItsOwnName(column, view))
              && isPlain(join.left(), table, view, missing || join.kind().keepsRight())
              && isPlain(join.right(), table, view, missing || join.kind().keepsLeft());
      case TableRef.Group group ->
          group.items().stream().allMatch(inner -> isPlain(inner, table, view, missing));
      case TableRef.Derived _, TableRef.Function _ -> true;
    };
  }

  private static boolean hasItsOwnName(String column, WritableView view) {
    return view.base(column)
        .map(column::equalsIgnoreCase)
        .orElse(!view.has(column) && view.table().column(column).isEmpty());
  }
}
