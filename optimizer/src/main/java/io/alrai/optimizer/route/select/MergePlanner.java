package io.alrai.optimizer.route.select;

import io.alrai.executor.fragment.MergePlan;
import io.alrai.executor.fragment.MergePlan.Limit;
import io.alrai.executor.fragment.MergePlan.RowKey;
import io.alrai.executor.fragment.SqlTemplate;
import io.alrai.executor.fragment.SqlTemplate.Piece;
import io.alrai.optimizer.api.sql.SqlBuilder;
import io.alrai.optimizer.api.text.Span;
import io.alrai.optimizer.bind.Analysis;
import io.alrai.optimizer.bind.Anchor;
import io.alrai.optimizer.bind.BlockFacts;
import io.alrai.optimizer.bind.ColumnRef;
import io.alrai.optimizer.bind.Locality;
import io.alrai.optimizer.bind.Scope;
import io.alrai.optimizer.route.Alternative;
import io.alrai.optimizer.route.MixedCollations;
import io.alrai.optimizer.route.NegatedTimes;
import io.alrai.optimizer.route.PlaceTexts;
import io.alrai.optimizer.route.Planning;
import io.alrai.optimizer.route.RowColumns;
import io.alrai.optimizer.route.RowColumns.Comparison;
import io.alrai.optimizer.route.RowLimit;
import io.alrai.optimizer.route.SelectList;
import io.alrai.optimizer.route.SortedRows;
import io.alrai.optimizer.shardsql.TableNaming;
import io.alrai.optimizer.shardsql.TextEdits;
import io.alrai.optimizer.syntax.Expr;
import io.alrai.optimizer.syntax.Query;
import io.alrai.optimizer.syntax.RowLock;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/** A SELECT whose parts every shard can give, and how they become one. */
final class MergePlanner {
  private final Planning planning;
  private final Analysis analysis;
  private final Query query;
  private final TextEdits edits;

  MergePlanner(Planning planning, Analysis analysis, Query query) {
    this.planning = planning;
    this.analysis = analysis;
    this.query = query;
    this.edits =
        PlaceTexts.of(planning, analysis).edits(TableNaming.everywhere(planning.catalog()));
  }

  /** The plan, if the shards can give parts that become one result. */
  Alternative<MergePlan> plan() {
    if (analysis.obstacle().isPresent()) {
      return hindered(analysis.obstacle().get());
    }
    if (!(query.body() instanceof Query.Block block)) {
      return hindered("a set operation over several shards");
    }
    Optional<BlockFacts> facts = analysis.block(block);
    if (facts.isEmpty()
        || facts.get().components().size() != 1
        || facts.get().outputs().isEmpty()) {
      return hindered("columns that only a mysqld can tell");
    }
    Optional<Limit> limit = query.limit().flatMap(RowLimit::of);
    if (query.limit().isPresent() && limit.isEmpty()) {
      return hindered("LIMIT by an expression");
    }
    return plan(block, facts.get(), limit);
  }

  private Alternative<MergePlan> plan(Query.Block block, BlockFacts facts, Optional<Limit> limit) {
    List<Anchor> anchors = facts.components().getFirst().anchors();
    Locality locality = new Locality(block, facts.scope(), facts.equalities(), planning.literals());
    if (!locality.windowsAreLocal(anchors) || !locality.windowsAreLocal(query.orderBy(), anchors)) {
      return hindered("windows that cross shards");
    }
    List<Expr> shown = shown(block);
    if (shown.stream().anyMatch(expr -> MixedCollations.in(expr, facts.scope()))) {
      return hindered("strings of several collations, which no UNION takes");
    }
    if (NegatedTimes.in(query, analysis)) {
      return hindered("a negated date or time, of which a UNION cuts products");
    }
    keepYears(block, shown, facts.scope());
    SelectList list = new SelectList(analysis, facts, planning.literals(), edits);
    if (!locality.groupsAreLocal(anchors)) {
      return new AggregationPlanner(planning, query, block, list, edits.copy()).plan(limit);
    }
    List<ColumnRef> columns =
        list.entries().stream().flatMap(entry -> entry.reference().stream()).toList();
    boolean dedupe = block.selection().distinct().isPresent() && !locality.covers(anchors, columns);
    return plain(block, list, locality.isGrouped(), dedupe, limit);
  }

  /** What may become columns of a place's text. */
  private List<Expr> shown(Query.Block block) {
    List<Expr> shown = new ArrayList<>();
    block.selection().items().forEach(item -> shown.add(item.expr()));
    block.grouping().ifPresent(groups -> groups.keys().forEach(key -> shown.add(key.expr())));
    query.orderBy().forEach(item -> shown.add(item.expr()));
    return shown;
  }

  /** Keys of groups are the same text wherever they stand, or MySQL does not know them again. */
  private void keepYears(Query.Block block, List<Expr> shown, Scope scope) {
    boolean areKeys =
        block.grouping().stream()
            .flatMap(groups -> groups.keys().stream())
            .anyMatch(key -> !YearColumns.in(key.expr(), scope).isEmpty());
    for (Expr root : shown) {
      if (areKeys) {
        yearsAsNumbers(root);
      } else {
        YearColumns.in(root, scope).forEach(this::asNumber);
      }
    }
  }

  private void yearsAsNumbers(Expr expr) {
    if (YearColumns.isCall(expr)) {
      asNumber(expr);
    } else {
      expr.children().forEach(this::yearsAsNumbers);
    }
  }

  private void asNumber(Expr expr) {
    SqlBuilder number = new SqlBuilder().text("(");
    edits.append(number, expr.span()).text(" + 0)");
    edits.replace(expr.span(), number.build().pieces().toArray(Piece[]::new));
  }

  private static Alternative<MergePlan> hindered(String reason) {
    return new Alternative.Refused<>(reason);
  }

  /** Rows as the shards give them, sorted and cut. */
  private Alternative<MergePlan> plain(
      Query.Block block, SelectList list, boolean grouped, boolean dedupe, Optional<Limit> limit) {
    RowColumns columns = new RowColumns(list.entries().size(), grouped);
    boolean visibleOnly = block.selection().distinct().isPresent();
    Optional<SortedRows> sorted =
        SortedRows.of(query.orderBy(), list, columns, edits, planning, visibleOnly);
    if (sorted.isEmpty()) {
      return hindered("ORDER BY a value that only a mysqld can compare");
    }
    List<RowKey> distinct = new ArrayList<>();
    if (dedupe) {
      for (int i = 0; i < list.entries().size(); i++) {
        SelectList.Entry entry = list.entries().get(i);
        Comparison comparison = distinctComparison(entry);
        if (comparison == Comparison.NONE) {
          return hindered("DISTINCT over values that only a mysqld can compare");
        }
        distinct.add(
            columns.key(
                i, entry.sql(), comparison, entry.column(), planning.asciiWeights(entry.column())));
      }
    }
    SqlTemplate sql = assemble(block, list, columns, sorted.get().orderBy(), limit);
    return new Alternative.Possible<>(
        new MergePlan(
            sql,
            sql,
            list.entries().size(),
            columns.count(),
            sorted.get().keys(),
            Optional.empty(),
            distinct,
            limit));
  }

  /**
   * Whether to write DISTINCT as GROUP BY, where both give the same rows: what follows from a
   * column need not be compared then, which takes a mysqld a sixth of its time for a hundred
   * strings.
   */
  private static boolean groupsForDistinct(Query.Block block, SelectList list, RowColumns columns) {
    return block.selection().distinct().isPresent()
        && columns.hasHidden()
        && block.grouping().isEmpty()
        && block.windows().isEmpty()
        && block.qualify().isEmpty()
        && list.entries().stream().allMatch(entry -> entry.column().isPresent());
  }

  /** ENUM and SET values are equal when their bytes are. */
  private static Comparison distinctComparison(SelectList.Entry entry) {
    Comparison comparison = RowColumns.comparison(entry.kinds().get());
    return comparison == Comparison.NUMBER ? Comparison.PLAIN : comparison;
  }

  private SqlTemplate assemble(
      Query.Block block,
      SelectList list,
      RowColumns columns,
      SqlTemplate orderBy,
      Optional<Limit> limit) {
    boolean groups = groupsForDistinct(block, list, columns);
    TextEdits text = groups ? edits.copy().remove(block.selection().distinct().get()) : edits;
    SqlBuilder sql = new SqlBuilder();
    int listEnd = block.selection().span().end();
    text.append(sql, new Span(query.span().start(), listEnd));
    columns.append(sql);
    text.append(sql, new Span(listEnd, block.span().end()));
    if (groups) {
      sql.text(
          IntStream.rangeClosed(1, list.entries().size())
              .mapToObj(Integer::toString)
              .collect(Collectors.joining(", ", " GROUP BY ", "")));
    }
    sql.template(orderBy);
    limit.ifPresent(cut -> RowLimit.append(sql, cut));
    for (RowLock locking : query.locking()) {
      sql.text(" ").template(edits.of(locking.span()));
    }
    return sql.build();
  }
}
