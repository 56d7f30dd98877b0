package io.alrai.optimizer.bind;

import io.alrai.optimizer.syntax.Expr;
import io.alrai.optimizer.syntax.Query;
import io.alrai.optimizer.syntax.RowLock;
import io.alrai.optimizer.syntax.Statement;
import io.alrai.optimizer.syntax.TableRef;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * Every use of a table in a statement, subqueries included, but for names of common table
 * expressions; and every expression. One thread.
 */
public final class TableUses {
  private final List<Use> tables = new ArrayList<>();
  private final List<Expr> expressions = new ArrayList<>();

  /**
   * One use.
   *
   * @param whole the query TABLE t, if it is one
   * @param locking the locking clauses of the query that it stands in
   * @param main whether that is the statement itself, no query within it
   */
  public record Use(
      TableRef.Named table, Optional<Query.WholeTable> whole, List<RowLock> locking, boolean main) {
    /** The clauses that lock its rows: they reach no table of a query within theirs. */
    public List<RowLock> locks() {
      return locking.stream().filter(lock -> lock.covers(table.visibleName())).toList();
    }
  }

  /**
   * What a part of a statement sees around it.
   *
   * @param common names of common table expressions
   */
  private record Around(Set<String> common, List<RowLock> locking, boolean main) {
    static final Around STATEMENT = new Around(Set.of(), List.of(), true);

    Around with(Set<String> names) {
      return new Around(names, locking, main);
    }

    Around locked(List<RowLock> clauses) {
      return new Around(common, clauses, main);
    }

    Around within() {
      return new Around(common, List.of(), false);
    }
  }

  private TableUses() {}

  /** Those of a statement; of INSERT only what its query reads. */
  public static TableUses of(Statement statement) {
    TableUses uses = new TableUses();
    switch (statement) {
      case Statement.Select select -> uses.query(select.query(), Around.STATEMENT);
      case Statement.Update update -> {
        Around around = uses.with(update.with(), Around.STATEMENT);
        uses.tables(update.tables(), around);
        uses.assignments(update.assignments(), around);
        uses.tail(update.tail(), around);
      }
      case Statement.Delete delete -> {
        Around around = uses.with(delete.with(), Around.STATEMENT);
        uses.tables(delete.from(), around);
        uses.tail(delete.tail(), around);
      }
      case Statement.InsertQuery insert -> {
        uses.query(insert.query(), Around.STATEMENT);
        uses.assignments(insert.onDuplicate(), Around.STATEMENT);
      }
      case Statement.InsertValues _ -> {}
    }
    return uses;
  }

  /** The tables: those of FROM before what is selected, in MySQL's order. */
  public List<Use> tables() {
    return tables;
  }

  /** The expressions that are not within others. */
  public List<Expr> expressions() {
    return expressions;
  }

  private void assignments(List<Statement.Assignment> assignments, Around around) {
    for (Statement.Assignment assignment : assignments) {
      expression(assignment.column(), around);
      expression(assignment.value(), around);
    }
  }

  private void tail(Statement.Tail tail, Around around) {
    tail.where().ifPresent(where -> expression(where, around));
    items(tail.orderBy(), around);
  }

  private void query(Query query, Around outside) {
    Around around = with(query.with(), outside).locked(query.locking());
    body(query.body(), around);
    items(query.orderBy(), around);
  }

  private Around with(Optional<Query.With> with, Around around) {
    if (with.isEmpty()) {
      return around;
    }
    Set<String> common = new HashSet<>(around.common());
    List<Query.CommonTable> named = with.get().tables();
    if (with.get().recursive()) {
      named.forEach(table -> common.add(table.name().name()));
    }
    for (Query.CommonTable table : named) {
      query(table.query(), around.with(Set.copyOf(common)).within());
      common.add(table.name().name());
    }
    return around.with(common);
  }

  private void body(Query.Body body, Around around) {
    switch (body) {
      case Query.Block block -> block(block, around);
      case Query.Nested nested -> query(nested.query(), around);
      case Query.SetOperation operation -> {
        body(operation.left(), around);
        body(operation.right(), around);
      }
      case Query.WholeTable whole -> use(whole.table(), Optional.of(whole), around);
      case Query.Values values -> values.cells().forEach(cell -> expression(cell, around));
    }
  }

  private void block(Query.Block block, Around around) {
    tables(block.from(), around);
    block.selection().items().forEach(item -> expression(item.expr(), around));
    block.where().ifPresent(where -> expression(where, around));
    block
        .grouping()
        .ifPresent(grouping -> {
          items(grouping.keys(), around);
          grouping.having().ifPresent(having -> expression(having, around));
        });
    for (Query.NamedWindow named : block.windows()) {
      named.window().partitionBy().forEach(expr -> expression(expr, around));
      items(named.window().orderBy(), around);
    }
    block.qualify().ifPresent(qualify -> expression(qualify, around));
  }

  private void items(List<Expr.OrderItem> items, Around around) {
    items.forEach(item -> expression(item.expr(), around));
  }

  private void tables(List<TableRef> items, Around around) {
    items.forEach(item -> table(item, around));
  }

  private void table(TableRef item, Around around) {
    switch (item) {
      case TableRef.Named named -> use(named, Optional.empty(), around);
      case TableRef.Derived derived -> query(derived.query(), around.within());
      case TableRef.Function function ->
          function.arguments().forEach(argument -> expression(argument, around));
      case TableRef.Join join -> {
        table(join.left(), around);
        table(join.right(), around);
        join.on().ifPresent(on -> expression(on, around));
      }
      case TableRef.Group group -> tables(group.items(), around);
    }
  }

  private void use(TableRef.Named table, Optional<Query.WholeTable> whole, Around around) {
    if (table.schema().isPresent() || !around.common().contains(table.name().name())) {
      tables.add(new Use(table, whole, around.locking(), around.main()));
    }
  }

  private void expression(Expr expression, Around around) {
    expressions.add(expression);
    expression.allQueries().forEach(query -> query(query, around.within()));
  }
}
