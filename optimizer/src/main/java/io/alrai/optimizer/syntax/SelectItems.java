package io.alrai.optimizer.syntax;

import io.alrai.optimizer.syntax.Query.SelectItem;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/** The items of all select lists of a statement. */
public final class SelectItems {
  private final List<SelectItem> found = new ArrayList<>();

  private SelectItems() {}

  /** Whether MySQL names the item's column after its text. */
  public static boolean isNamedByText(SelectItem item) {
    Expr bare = item.expr().bare();
    return item.alias().isEmpty()
        && !(bare instanceof Expr.Star)
        && !(bare instanceof Expr.Name)
        && !(bare instanceof Expr.Slot)
        && !(bare instanceof Expr.Literal);
  }

  /** The block whose list names the columns of a query. */
  public static List<SelectItem> naming(Query query) {
    Query.Body body = query.body();
    while (true) {
      switch (body) {
        case Query.Block block -> {
          return block.selection().items();
        }
        case Query.SetOperation operation -> body = operation.left();
        case Query.Nested nested -> body = nested.query().body();
        case Query.WholeTable whole -> {
          return List.of();
        }
        case Query.Values values -> {
          return List.of();
        }
      }
    }
  }

  /** All items in text order. */
  public static List<SelectItem> of(Statement statement) {
    SelectItems items = new SelectItems();
    switch (statement) {
      case Statement.Select select -> items.query(select.query());
      case Statement.InsertQuery insert -> {
        items.query(insert.query());
        insert.onDuplicate().forEach(assignment -> items.expression(assignment.value()));
      }
      case Statement.Update update -> {
        update.with().ifPresent(items::with);
        update.tables().forEach(items::table);
        update.assignments().forEach(assignment -> items.expression(assignment.value()));
        items.tail(update.tail());
      }
      case Statement.Delete delete -> {
        delete.with().ifPresent(items::with);
        delete.from().forEach(items::table);
        items.tail(delete.tail());
      }
      case Statement.InsertValues values -> {}
    }
    items.found.sort(Comparator.comparingInt(item -> item.span().start()));
    return items.found;
  }

  private void tail(Statement.Tail tail) {
    tail.where().ifPresent(this::expression);
    tail.orderBy().forEach(item -> expression(item.expr()));
  }

  private void with(Query.With with) {
    with.tables().forEach(table -> query(table.query()));
  }

  private void query(Query query) {
    query.with().ifPresent(this::with);
    body(query.body());
    query.orderBy().forEach(item -> expression(item.expr()));
  }

  private void body(Query.Body body) {
    switch (body) {
      case Query.Block block -> block(block);
      case Query.SetOperation operation -> {
        body(operation.left());
        body(operation.right());
      }
      case Query.Nested nested -> query(nested.query());
      case Query.Values values -> values.cells().forEach(this::expression);
      case Query.WholeTable whole -> {}
    }
  }

  private void block(Query.Block block) {
    for (SelectItem item : block.selection().items()) {
      found.add(item);
      expression(item.expr());
    }
    block.from().forEach(this::table);
    block.where().ifPresent(this::expression);
    block
        .grouping()
        .ifPresent(grouping -> {
          grouping.keys().forEach(key -> expression(key.expr()));
          grouping.having().ifPresent(this::expression);
        });
    block.qualify().ifPresent(this::expression);
  }

  private void table(TableRef item) {
    switch (item) {
      case TableRef.Derived derived -> query(derived.query());
      case TableRef.Join join -> {
        table(join.left());
        table(join.right());
        join.on().ifPresent(this::expression);
      }
      case TableRef.Group group -> group.items().forEach(this::table);
      case TableRef.Function function -> function.arguments().forEach(this::expression);
      case TableRef.Named named -> {}
    }
  }

  private void expression(Expr expr) {
    expr.allQueries().forEach(this::query);
  }
}
