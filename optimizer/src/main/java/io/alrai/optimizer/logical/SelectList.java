package io.alrai.optimizer.logical;

import io.alrai.optimizer.logical.Scope.Visible;
import io.alrai.optimizer.syntax.Expr;
import io.alrai.optimizer.syntax.Query.SelectItem;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;

/**
 * The list of a SELECT with its stars written out. One thread.
 *
 * @param items in order
 */
public record SelectList(List<Item> items) {
  public SelectList {
    items = List.copyOf(items);
  }

  /**
   * One column.
   *
   * @param name of the result's column
   * @param alias given with AS
   * @param expr what it is
   */
  record Item(String name, Optional<String> alias, Expr expr) {}

  /** The select list of a block. */
  static SelectList of(List<SelectItem> list, Scope scope, BindContext context) {
    SlotLiterals literals = new SlotLiterals(context);
    List<Item> items = new ArrayList<>();
    for (SelectItem item : list) {
      if (item.expr() instanceof Expr.Star star) {
        star(star, scope, items);
        continue;
      }
      Optional<String> alias =
          item.alias()
              .map(given -> given.slot() < 0 ? given.name() : literals.string(given.slot()));
      String name = alias.orElseGet(() -> name(item.expr(), context));
      items.add(new Item(name, alias, item.expr()));
    }
    return new SelectList(items);
  }

  private static String name(Expr expr, BindContext context) {
    return expr.bare() instanceof Expr.Name name ? name.column() : context.source(expr.span());
  }

  private static void star(Expr.Star star, Scope scope, List<Item> items) {
    List<Visible> wanted = wanted(star, scope);
    if (wanted.isEmpty()) {
      throw new NotCovered("a * that stands for no column");
    }
    for (Visible column : wanted) {
      column.readable();
      Expr name = new ColumnName(star, column).expr();
      items.add(new Item(column.column(), Optional.empty(), name));
    }
  }

  /** A table's in their own order, where a join's puts those that it shares before others. */
  private static List<Visible> wanted(Expr.Star star, Scope scope) {
    if (star.qualifier().isEmpty()) {
      return scope.columns().stream().filter(column -> !column.hidden()).toList();
    }
    String relation = star.qualifier().getLast().name();
    return scope.columns().stream()
        .filter(column -> relation.equals(column.relation()))
        .sorted(Comparator.comparingInt(Visible::index))
        .toList();
  }

  /** A column that a star means, as an expression. */
  private record ColumnName(Expr.Star star, Visible column) {
    Expr expr() {
      var table = new io.alrai.optimizer.api.text.Identifier(column.relation(), star.span());
      var name = new io.alrai.optimizer.api.text.Identifier(column.column(), star.span());
      return new Expr.Name(star.span(), List.of(table, name));
    }
  }

  /** What an alias stands for. */
  Optional<Expr> aliased(String name) {
    return items.stream()
        .filter(item -> item.alias().isPresent() && item.alias().get().equalsIgnoreCase(name))
        .findFirst()
        .map(Item::expr);
  }

  /**
   * The number of the item that an item of ORDER BY or GROUP BY means by its position or, if
   * allowed, by an alias.
   */
  Optional<Integer> position(Expr expr) {
    if (expr.bare() instanceof Expr.Literal literal && literal.text().matches("[0-9]{1,6}")) {
      int position = Integer.parseInt(literal.text());
      if (position < 1 || position > items.size()) {
        throw new NotCovered("a position that is not in the list");
      }
      return Optional.of(position - 1);
    }
    return Optional.empty();
  }

  /** The number of the item with an alias. */
  Optional<Integer> alias(Expr expr) {
    if (expr.bare() instanceof Expr.Name name && name.table().isEmpty()) {
      for (int i = 0; i < items.size(); i++) {
        Optional<String> alias = items.get(i).alias();
        if (alias.isPresent() && alias.get().equalsIgnoreCase(name.column())) {
          return Optional.of(i);
        }
      }
    }
    return Optional.empty();
  }
}
