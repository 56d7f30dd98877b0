package io.alrai.optimizer.lower;

import io.alrai.common.error.AlraiException;
import io.alrai.common.error.ErrorCode;
import io.alrai.executor.fragment.GatherPlan;
import io.alrai.executor.fragment.Plan;
import io.alrai.executor.fragment.Plan.KeyedWrite;
import io.alrai.executor.fragment.SqlTemplate;
import io.alrai.executor.fragment.Targets;
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

/**
 * A single-table write that reads rows of other places. A gathered SELECT chooses the rows, and
 * where subqueries give the new values these too; then each place writes its own by their keys.
 */
final class GatheredWritePlanner {
  private final Planning planning;
  private final Analysis analysis;
  private final Relation.Base target;
  private final Statement.Tail tail;
  private final Optional<AssignedValues> values;

  /** {@code values} are those of an UPDATE. */
  GatheredWritePlanner(
      Planning planning,
      Analysis analysis,
      Relation.Base target,
      Statement.Tail tail,
      Optional<AssignedValues> values) {
    this.planning = planning;
    this.analysis = analysis;
    this.target = target;
    this.tail = tail;
    this.values = values;
  }

  /** Whether this is such a write: its target has keys by which rows are found again. */
  boolean isOne(List<TableRef> from) {
    boolean with =
        switch (planning.tree()) {
          case Statement.Update update -> update.with().isPresent();
          case Statement.Delete delete -> delete.with().isPresent() || !delete.targets().isEmpty();
          default -> true;
        };
    return !with
        && from.size() == 1
        && from.getFirst() instanceof TableRef.Named
        && !Placements.keyColumns(target.table()).isEmpty()
        && !new Placements(planning.catalog()).atOnePlace(target.table())
        && !target.table().implicitPrimaryKey();
  }

  /**
   * The keyed write.
   *
   * @param shardEdits those of the shard's text
   * @throws AlraiException 1093 where a subquery reads the target, 1235 where values build on each
   *     other
   */
  KeyedWrite plan(TextEdits shardEdits) {
    refuseTarget();
    Table table = target.table();
    List<String> columns = new ArrayList<>(Placements.keyColumns(table));
    columns.addAll(table.primaryKey());
    boolean valued = values.map(AssignedValues::haveQueries).orElse(false);
    if (valued && !values.orElseThrow().areForeseen()) {
      throw Planning.unsupported(
          "a write over several shards whose values build on one another and on subqueries;"
              + " assign them in two statements");
    }
    GatherPlan rows =
        new GatherPlanner(planning, analysis)
            .planRows(target, columns, edits -> select(columns, valued, edits));
    List<String> assigned = valued ? values.orElseThrow().columns() : List.of();
    SqlTemplate head =
        valued
            ? new SqlBuilder()
                .text("UPDATE ")
                .template(shardEdits.of(target.reference().span()))
                .text(" SET ")
                .build()
            : KeyedWritePlanner.head(planning, shardEdits, tail);
    return new KeyedWrite(
        new Plan.KeySource.Gathered(rows),
        Placements.function(table),
        table.primaryKey(),
        assigned,
        head);
  }

  private SqlTemplate select(List<String> columns, boolean valued, TextEdits edits) {
    SqlBuilder sql = new SqlBuilder();
    columns.forEach(column -> sql.text(sql.isEmpty() ? "SELECT " : ", ").text(qualified(column)));
    if (valued) {
      AssignedValues assigned = values.orElseThrow();
      for (String column : assigned.columns()) {
        sql.text(", ").template(assigned.of(column, qualified(column), edits));
      }
    }
    sql.text(" FROM ").template(edits.of(target.reference().span()));
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

  /** Where the rows of the target are. */
  Targets targets() {
    return new Targets.All(new Placements(planning.catalog()).places(target.table()));
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
