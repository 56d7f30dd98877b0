package io.alrai.optimizer.api.routine;

import io.alrai.optimizer.syntax.Expr;
import io.alrai.optimizer.syntax.Query;
import io.alrai.optimizer.syntax.Query.SelectItem;
import io.alrai.optimizer.syntax.Statement;
import io.alrai.optimizer.syntax.TableRef;
import java.util.ArrayList;
import java.util.List;

/** The names without a qualifier in a statement's expressions, and the items of its lists. */
final class VariableUses {
  private final List<Expr.Name> names = new ArrayList<>();
  private final List<SelectItem> items = new ArrayList<>();

  private final List<Expr.Name> ordering = new ArrayList<>();

  private VariableUses() {}

  /** The uses in a statement with a tree. */
  static VariableUses of(Statement statement) {
    VariableUses uses = new VariableUses();
    switch (statement) {
      case Statement.Select select -> uses.query(select.query());
      case Statement.Update update -> {
        update.with().ifPresent(uses::with);
        update.tables().forEach(uses::table);
        update.assignments().forEach(each -> uses.expression(each.value()));
        uses.tail(update.tail());
      }
      case Statement.Delete delete -> {
        delete.with().ifPresent(uses::with);
        delete.from().forEach(uses::table);
        uses.tail(delete.tail());
      }
      case Statement.InsertQuery insert -> {
        uses.query(insert.query());
        insert.onDuplicate().forEach(each -> uses.expression(each.value()));
      }
      case Statement.InsertValues values -> {}
    }
    return uses;
  }

  List<Expr.Name> names() {
    return names;
  }

  /** Those that are whole items of ORDER BY or GROUP BY. */
  List<Expr.Name> ordering() {
    return ordering;
  }

  List<SelectItem> items() {
    return items;
  }

  private void tail(Statement.Tail tail) {
    tail.where().ifPresent(this::expression);
    order(tail.orderBy());
  }

  private void with(Query.With with) {
    with.tables().forEach(table -> query(table.query()));
  }

  private void query(Query query) {
    query.with().ifPresent(this::with);
    body(query.body());
    order(query.orderBy());
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
      items.add(item);
      expression(item.expr());
    }
    block.from().forEach(this::table);
    block.where().ifPresent(this::expression);
    block
        .grouping()
        .ifPresent(grouping -> {
          order(grouping.keys());
          grouping.having().ifPresent(this::expression);
        });
    for (Query.NamedWindow window : block.windows()) {
      window.window().partitionBy().forEach(this::expression);
      window.window().orderBy().forEach(item -> expression(item.expr()));
    }
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

  private void order(List<Expr.OrderItem> items) {
    for (Expr.OrderItem item : items) {
      expression(item.expr());
      if (item.expr().bare() instanceof Expr.Name name && name.parts().size() == 1) {
        ordering.add(name);
      }
    }
  }

  /** VALUES(c) and DEFAULT(c) are about columns. */
  private void expression(Expr expr) {
    boolean column =
        expr instanceof Expr.Call call
            && (call.name().equals("VALUES") || call.name().equals("DEFAULT"));
    if (column) {
      return;
    }
    if (expr instanceof Expr.Name name && name.parts().size() == 1) {
      names.add(name);
    }
    expr.children().forEach(this::expression);
    expr.queries().forEach(this::query);
  }
}
