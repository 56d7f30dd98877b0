package io.alrai.optimizer.api.inspect;

import io.alrai.gms.api.Column;
import io.alrai.gms.api.Table;
import io.alrai.optimizer.api.Planner;
import io.alrai.optimizer.api.ShapedStatement;
import io.alrai.optimizer.api.text.Identifier;
import io.alrai.optimizer.api.text.SyntaxException;
import io.alrai.optimizer.syntax.Expr;
import io.alrai.optimizer.syntax.Query;
import io.alrai.optimizer.syntax.Statement;
import io.alrai.optimizer.syntax.StatementParser;
import io.alrai.optimizer.syntax.TableRef;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;

/**
 * What {@code sql_auto_is_null} makes of a statement: a WHERE that says of an AUTO_INCREMENT column
 * that it is NULL, and nothing else, means the row with LAST_INSERT_ID(). That holds for each query
 * block, but not for a table that an outer join may fill with NULLs. One thread.
 */
public final class NullIds {
  private final Planner.Context context;
  private final String shape;

  /** By where the condition starts. */
  private final TreeMap<Integer, Replacement> replacements = new TreeMap<>();

  private record Replacement(Expr condition, Expr.Name id) {}

  /**
   * What a query block reads.
   *
   * @param common names of common table expressions
   */
  private record Level(List<TableRef> from, Set<String> common) {}

  /**
   * What a part of a statement sees.
   *
   * @param common names of common table expressions
   * @param levels the query blocks around, the innermost first
   */
  private record Around(Set<String> common, List<Level> levels) {
    static final Around STATEMENT = new Around(Set.of(), List.of());

    Around with(String name) {
      Set<String> more = new HashSet<>(common);
      more.add(name);
      return new Around(more, levels);
    }

    Around within(List<TableRef> from) {
      List<Level> more = new ArrayList<>();
      more.add(new Level(from, common));
      more.addAll(levels);
      return new Around(common, more);
    }
  }

  private NullIds(Planner.Context context, String shape) {
    this.context = context;
    this.shape = shape;
  }

  /** The shape of what is meant; empty where that is what the statement says. */
  public static Optional<String> meant(ShapedStatement statement, Planner.Context context) {
    NullIds ids = new NullIds(context, statement.shape());
    try {
      ids.statement(
          StatementParser.parse(ids.shape, context.ansiQuotes(), context.noBackslashEscapes()));
    } catch (SyntaxException e) {
      return Optional.empty(); // none with a WHERE, or one that who plans it refuses
    }
    return ids.replacements.isEmpty() ? Optional.empty() : Optional.of(ids.text());
  }

  private String text() {
    StringBuilder text = new StringBuilder();
    int from = 0;
    for (Map.Entry<Integer, Replacement> each : replacements.entrySet()) {
      Replacement replacement = each.getValue();
      text.append(shape, from, each.getKey())
          .append('(')
          .append(replacement.id().span().of(shape))
          .append(" = LAST_INSERT_ID())");
      from = replacement.condition().span().end();
    }
    return text.append(shape, from, shape.length()).toString();
  }

  private void statement(Statement statement) {
    switch (statement) {
      case Statement.Select select -> query(select.query(), Around.STATEMENT);
      case Statement.Update update -> {
        Around around = around(update.with(), Around.STATEMENT).within(update.tables());
        update.assignments().forEach(assignment -> within(assignment.value(), around));
        read(update.tables(), update.tail().where(), around);
      }
      case Statement.Delete delete ->
          read(
              delete.from(),
              delete.tail().where(),
              around(delete.with(), Around.STATEMENT).within(delete.from()));
      case Statement.InsertQuery insert -> query(insert.query(), Around.STATEMENT);
      case Statement.InsertValues _ -> {}
    }
  }

  private Around around(Optional<Query.With> with, Around outer) {
    Around around = outer;
    boolean recursive = with.map(Query.With::recursive).orElse(false);
    for (Query.CommonTable table : with.map(Query.With::tables).orElse(List.of())) {
      Around after = around.with(table.name().name());
      query(table.query(), recursive ? after : around);
      around = after;
    }
    return around;
  }

  private void query(Query query, Around outer) {
    Around around = around(query.with(), outer);
    body(query.body(), around);
    query.orderBy().forEach(item -> within(item.expr(), around));
  }

  private void body(Query.Body body, Around outer) {
    switch (body) {
      case Query.Block block -> {
        Around around = outer.within(block.from());
        block.selection().items().forEach(item -> within(item.expr(), around));
        read(block.from(), block.where(), around);
        block.grouping().flatMap(Query.Grouping::having).ifPresent(some -> within(some, around));
      }
      case Query.SetOperation operation -> {
        body(operation.left(), outer);
        body(operation.right(), outer);
      }
      case Query.Nested nested -> query(nested.query(), outer);
      case Query.Values values -> values.cells().forEach(cell -> within(cell, outer));
      case Query.WholeTable _ -> {}
    }
  }

  private void within(Expr expr, Around around) {
    expr.allQueries().forEach(query -> query(query, around));
  }

  private void read(List<TableRef> from, Optional<Expr> where, Around around) {
    from.forEach(item -> queries(item, around));
    where.ifPresent(condition -> {
      Optional<Expr.Name> id =
          saidToBeNull(condition.bare()).filter(name -> isId(name, around.levels()));
      if (id.isPresent()) {
        replacements.put(condition.span().start(), new Replacement(condition, id.get()));
      } else {
        within(condition, around);
      }
    });
  }

  private void queries(TableRef item, Around around) {
    switch (item) {
      case TableRef.Derived derived -> query(derived.query(), around);
      case TableRef.Join join -> {
        queries(join.left(), around);
        queries(join.right(), around);
        join.on().ifPresent(on -> within(on, around));
      }
      case TableRef.Group group -> group.items().forEach(inner -> queries(inner, around));
      case TableRef.Named _, TableRef.Function _ -> {}
    }
  }

  private static Optional<Expr.Name> saidToBeNull(Expr condition) {
    return switch (condition) {
      case Expr.Operation operation when operation.operator() == Expr.Operator.IS_NULL ->
          name(operation.operands().getFirst());
      case Expr.Operation operation when operation.operator() == Expr.Operator.NOT ->
          saidNotToBeNull(operation.operands().getFirst().bare());
      case Expr.Call call when call.name().equals("ISNULL") && call.arguments().size() == 1 ->
          name(call.arguments().getFirst());
      case Expr.Operation _,
          Expr.Call _,
          Expr.Parenthesised _,
          Expr.Row _,
          Expr.Case _,
          Expr.InList _,
          Expr.OverQuery _,
          Expr.Leaf _ ->
          Optional.empty();
    };
  }

  private static Optional<Expr.Name> saidNotToBeNull(Expr condition) {
    return condition instanceof Expr.Operation operation && operation.symbol().equals("IS NOT NULL")
        ? name(operation.operands().getFirst())
        : Optional.empty();
  }

  private static Optional<Expr.Name> name(Expr expr) {
    return expr.bare() instanceof Expr.Name name ? Optional.of(name) : Optional.empty();
  }

  /** Whether the first level that may have the column has it as an id. */
  private boolean isId(Expr.Name name, List<Level> levels) {
    for (Level level : levels) {
      Optional<Boolean> id = found(name, level.from(), level.common());
      if (id.isPresent()) {
        return id.get();
      }
      if (level.from().stream().anyMatch(item -> isOpaque(name, item, level.common()))) {
        return false;
      }
    }
    return false;
  }

  private Optional<Boolean> found(Expr.Name name, List<TableRef> from, Set<String> common) {
    return from.stream().flatMap(item -> found(name, item, common).stream()).findFirst();
  }

  /** Whether the column is an id, where one of the tables has it. */
  private Optional<Boolean> found(Expr.Name name, TableRef item, Set<String> common) {
    return switch (item) {
      case TableRef.Named named ->
          qualifies(named, name)
              ? table(named, common)
                  .flatMap(table -> table.column(name.column()))
                  .map(Column::autoIncrement)
              : Optional.empty();
      case TableRef.Join join ->
          found(name, join.left(), common)
              .map(id -> id && !join.kind().keepsRight())
              .or(() ->
                  found(name, join.right(), common).map(id -> id && !join.kind().keepsLeft()));
      case TableRef.Group group -> found(name, group.items(), common);
      case TableRef.Derived _, TableRef.Function _ -> Optional.empty();
    };
  }

  /** Whether something is read there whose columns are not known here. */
  private boolean isOpaque(Expr.Name name, TableRef item, Set<String> common) {
    return switch (item) {
      case TableRef.Named named -> qualifies(named, name) && table(named, common).isEmpty();
      case TableRef.Join join ->
          isOpaque(name, join.left(), common) || isOpaque(name, join.right(), common);
      case TableRef.Group group ->
          group.items().stream().anyMatch(inner -> isOpaque(name, inner, common));
      case TableRef.Derived derived -> name.table().map(derived.alias()::equals).orElse(true);
      case TableRef.Function function -> name.table().map(function.alias()::equals).orElse(true);
    };
  }

  private boolean qualifies(TableRef.Named named, Expr.Name name) {
    return name.table().map(named.visibleName()::equals).orElse(true)
        && name.schema().map(schema(named)::equals).orElse(true);
  }

  private Optional<Table> table(TableRef.Named named, Set<String> common) {
    return named.schema().isEmpty() && common.contains(named.name().name())
        ? Optional.empty()
        : context.catalog().table(schema(named), named.name().name());
  }

  private String schema(TableRef.Named named) {
    return named.schema().map(Identifier::name).orElse(context.currentSchema());
  }
}
