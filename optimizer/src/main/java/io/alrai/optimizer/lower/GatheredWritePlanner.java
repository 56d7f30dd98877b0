package io.alrai.optimizer.lower;

import io.alrai.common.error.AlraiException;
import io.alrai.common.error.ErrorCode;
import io.alrai.executor.fragment.GatherPlan;
import io.alrai.executor.fragment.Plan;
import io.alrai.executor.fragment.Plan.KeyedWrite;
import io.alrai.executor.fragment.SqlTemplate;
import io.alrai.gms.api.Table;
import io.alrai.optimizer.bind.Analysis;
import io.alrai.optimizer.bind.Relation;
import io.alrai.optimizer.shardsql.SqlBuilder;
import io.alrai.optimizer.shardsql.TextEdits;
import io.alrai.optimizer.syntax.Expr;
import io.alrai.optimizer.syntax.Identifier;
import io.alrai.optimizer.syntax.Query;
import io.alrai.optimizer.syntax.Span;
import io.alrai.optimizer.syntax.Statement;
import io.alrai.optimizer.syntax.TableRef;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Pattern;

/**
 * A single-table write that reads rows of other places. A gathered SELECT chooses the rows, and
 * where subqueries give the new values these too; then each place writes its own by their keys.
 */
final class GatheredWritePlanner {
  private final Planning planning;
  private final Analysis analysis;
  private final Relation.Base target;
  private final List<TableRef> from;
  private final Statement.Tail tail;
  private final Optional<AssignedValues> values;

  /** {@code values} are those of an UPDATE. */
  GatheredWritePlanner(
      Planning planning,
      Analysis analysis,
      Relation.Base target,
      List<TableRef> from,
      Statement.Tail tail,
      Optional<AssignedValues> values) {
    this.planning = planning;
    this.analysis = analysis;
    this.target = target;
    this.from = from;
    this.tail = tail;
    this.values = values;
  }

  /** Whether this is such a write: its target has keys by which rows are found again. */
  boolean isOne() {
    Table table = target.table();
    boolean placed =
        !Placements.keyColumns(table).isEmpty()
            || new Placements(planning.catalog()).atOnePlace(table);
    return placed
        && !table.temporary()
        && !table.primaryKey().isEmpty()
        && !table.implicitPrimaryKey();
  }

  private boolean ignores() {
    String before = planning.text().text().substring(0, from.getFirst().span().start());
    return Pattern.compile("\\bIGNORE\\s*$", Pattern.CASE_INSENSITIVE).matcher(before).find();
  }

  private Optional<Query.With> with() {
    return switch (planning.tree()) {
      case Statement.Update update -> update.with();
      case Statement.Delete delete -> delete.with();
      default -> Optional.empty();
    };
  }

  /** Whether the statement reads more than its target and what stands in subqueries. */
  private boolean joins() {
    return with().isPresent() || from.size() > 1 || !(from.getFirst() instanceof TableRef.Named);
  }

  /**
   * The keyed write.
   *
   * @param shardEdits those of the shard's text
   * @param scattered whether no place has all tables
   * @throws AlraiException 1093 where a subquery reads the target, 1235 where values build on each
   *     other
   */
  KeyedWrite plan(TextEdits shardEdits, boolean scattered) {
    refuseTarget();
    Table table = target.table();
    List<String> columns = new ArrayList<>(Placements.keyColumns(table));
    columns.addAll(table.primaryKey());
    boolean valued =
        values.filter(given -> joins() || given.areGathered(planning.interpreted())).isPresent();
    if (valued && !values.orElseThrow().areForeseen()) {
      throw Planning.unsupported(
          "a write over several shards whose values build on one another and on subqueries;"
              + " assign them in two statements");
    }
    GatherPlan rows =
        new GatherPlanner(planning, analysis)
            .planRows(target, columns, edits -> select(columns, valued, edits));
    List<String> assigned = valued ? values.orElseThrow().columns() : List.of();
    return new KeyedWrite(
        new Plan.KeySource.Gathered(rows),
        Placements.function(table),
        table.primaryKey(),
        assigned,
        head(shardEdits, valued),
        scattered ? new Placements(planning.catalog()).places(table) : List.of());
  }

  private SqlTemplate head(TextEdits shardEdits, boolean valued) {
    SqlTemplate named = shardEdits.of(target.reference().span());
    if (valued) {
      String verb = ignores() ? "UPDATE IGNORE " : "UPDATE ";
      return new SqlBuilder().text(verb).template(named).text(" SET ").build();
    }
    if (joins()) {
      String alias = Identifier.quote(target.visibleName());
      boolean given = target.reference().alias().isPresent();
      return new SqlBuilder()
          .text("DELETE " + alias + " FROM ")
          .template(named)
          .text(given ? " WHERE " : " AS " + alias + " WHERE ")
          .build();
    }
    return KeyedWritePlanner.head(planning, shardEdits, tail);
  }

  private SqlTemplate select(List<String> columns, boolean valued, TextEdits edits) {
    SqlBuilder sql = new SqlBuilder();
    with().ifPresent(with -> sql.template(edits.of(with.span())).text(" "));
    String distinct = joins() && !valued ? "SELECT DISTINCT " : "SELECT ";
    for (int i = 0; i < columns.size(); i++) {
      sql.text(i == 0 ? distinct : ", ").text(qualified(columns.get(i)));
    }
    if (valued) {
      AssignedValues assigned = values.orElseThrow();
      for (String column : assigned.columns()) {
        sql.text(", ").template(assigned.of(column, qualified(column), edits));
      }
    }
    sql.text(" FROM ").template(edits.of(from.getFirst().span().to(from.getLast().span())));
    tail.where().ifPresent(where -> sql.text(" WHERE ").template(edits.of(where.span())));
    for (int i = 0; i < tail.orderBy().size(); i++) {
      Expr.OrderItem item = tail.orderBy().get(i);
      sql.text(i == 0 ? " ORDER BY " : ", ").template(edits.of(item.span()));
    }
    tail.limit().ifPresent(limit -> sql.text(" ").template(edits.of(limit.span())));
    return sql.build();
  }

  private String qualified(String column) {
    return Identifier.quote(target.visibleName()) + "." + Identifier.quote(column);
  }

  private void refuseTarget() {
    List<Query> queries = new ArrayList<>();
    tail.where().ifPresent(where -> queries.addAll(where.allQueries()));
    switch (planning.tree()) {
      case Statement.Update update ->
          update.assignments().forEach(one -> queries.addAll(one.value().allQueries()));
      default -> {}
    }
    Set<Span> read = new LinkedHashSet<>();
    queries.forEach(query -> named(query.body(), read));
    boolean reads =
        analysis.tables().stream()
            .anyMatch(base ->
                base.table().equals(target.table()) && read.contains(base.reference().span()));
    if (reads) {
      throw new AlraiException(
          ErrorCode.ER_UPDATE_TABLE_USED,
          "You can't specify target table '"
              + target.visibleName()
              + "' for update in FROM clause");
    }
  }

  /** Tables that a query reads itself; those of derived tables are read before the write. */
  private static void named(Query.Body body, Set<Span> found) {
    switch (body) {
      case Query.Block block -> {
        block.from().forEach(item -> named(item, found));
        List<Query> inner = new ArrayList<>();
        block.where().ifPresent(where -> inner.addAll(where.allQueries()));
        block.selection().items().forEach(item -> inner.addAll(item.expr().allQueries()));
        inner.forEach(query -> named(query.body(), found));
      }
      case Query.SetOperation operation -> {
        named(operation.left(), found);
        named(operation.right(), found);
      }
      case Query.Nested nested -> named(nested.query().body(), found);
      case Query.WholeTable whole -> found.add(whole.table().span());
      case Query.Values none -> {}
    }
  }

  private static void named(TableRef item, Set<Span> found) {
    switch (item) {
      case TableRef.Named named -> found.add(named.span());
      case TableRef.Join join -> {
        named(join.left(), found);
        named(join.right(), found);
      }
      case TableRef.Group group -> group.items().forEach(inner -> named(inner, found));
      case TableRef.Derived derived -> {}
      case TableRef.Function function -> {}
    }
  }
}
