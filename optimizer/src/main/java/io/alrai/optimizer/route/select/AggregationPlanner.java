package io.alrai.optimizer.route.select;

import io.alrai.executor.fragment.MergePlan;
import io.alrai.executor.fragment.MergePlan.Aggregation;
import io.alrai.executor.fragment.MergePlan.Limit;
import io.alrai.executor.fragment.MergePlan.Output;
import io.alrai.executor.fragment.MergePlan.RowKey;
import io.alrai.executor.fragment.MergePlan.SortKey;
import io.alrai.executor.fragment.SqlTemplate;
import io.alrai.executor.fragment.SqlTemplate.Piece;
import io.alrai.gms.api.Column;
import io.alrai.optimizer.api.sql.SqlBuilder;
import io.alrai.optimizer.api.text.Span;
import io.alrai.optimizer.bind.Functions;
import io.alrai.optimizer.route.Alternative;
import io.alrai.optimizer.route.LooseSums;
import io.alrai.optimizer.route.Planning;
import io.alrai.optimizer.route.RowColumns;
import io.alrai.optimizer.route.RowColumns.Comparison;
import io.alrai.optimizer.route.SelectList;
import io.alrai.optimizer.shardsql.TextEdits;
import io.alrai.optimizer.syntax.Expr;
import io.alrai.optimizer.syntax.Query;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** Groups that cross shards: partial aggregates below, their sum above. */
final class AggregationPlanner {
  private final Planning planning;
  private final Query query;
  private final Query.Block block;
  private final SelectList list;
  private final TextEdits edits;
  private final RowColumns columns;
  private final List<Output> outputs = new ArrayList<>();
  private final List<SelectList.Meaning> groupKeys = new ArrayList<>();
  private String obstacle = "";

  /** {@code edits} is for this planner alone. */
  AggregationPlanner(
      Planning planning, Query query, Query.Block block, SelectList list, TextEdits edits) {
    this.planning = planning;
    this.query = query;
    this.block = block;
    this.list = list;
    this.edits = edits;
    this.columns = new RowColumns(list.entries().size(), true);
  }

  private boolean hindered(String reason) {
    obstacle = reason;
    return false;
  }

  /** The plan, if the shards can give parts of the groups. */
  Alternative<MergePlan> plan(Optional<Limit> limit) {
    List<RowKey> groupBy = new ArrayList<>();
    List<SortKey> sort = new ArrayList<>();
    if (!hasKnownClauses() || !keys(groupBy) || !items() || !sort(sort)) {
      return new Alternative.Refused<>(obstacle);
    }
    SqlBuilder sql = new SqlBuilder();
    int listEnd = block.selection().span().end();
    edits.append(sql, new Span(query.span().start(), listEnd));
    columns.append(sql);
    edits.append(sql, new Span(listEnd, block.span().end()));
    query.locking().forEach(locking -> sql.text(" ").template(edits.of(locking.span())));
    SqlTemplate shardSql = sql.build();
    return new Alternative.Possible<>(
        new MergePlan(
            shardSql,
            shardSql,
            list.entries().size(),
            columns.count(),
            sort,
            Optional.of(new Aggregation(groupBy, outputs)),
            List.of(),
            limit));
  }

  private boolean hasKnownClauses() {
    boolean having = block.grouping().flatMap(Query.Grouping::having).isPresent();
    boolean rollup = block.grouping().map(Query.Grouping::rollup).orElse(false);
    if (having) {
      return hindered("HAVING over groups that cross shards");
    }
    if (rollup) {
      return hindered("WITH ROLLUP over groups that cross shards");
    }
    if (block.selection().distinct().isPresent()) {
      return hindered("DISTINCT over groups that cross shards");
    }
    boolean star =
        block.selection().items().stream().anyMatch(item -> item.expr() instanceof Expr.Star);
    return !star || hindered("* over groups that cross shards");
  }

  private boolean keys(List<RowKey> groupBy) {
    List<Expr.OrderItem> keys = block.grouping().map(Query.Grouping::keys).orElse(List.of());
    for (Expr.OrderItem key : keys) {
      Optional<SelectList.Meaning> meaning = list.meaning(key.expr(), false);
      if (meaning.isEmpty() || meaning.get().comparison() == Comparison.NONE) {
        return hindered("GROUP BY a value that only a mysqld can compare");
      }
      groupKeys.add(meaning.get());
      groupBy.add(
          columns.key(
              meaning.get().index(),
              meaning.get().sql(),
              meaning.get().comparison(),
              meaning.get().column()));
    }
    return true;
  }

  private boolean items() {
    for (int i = 0; i < list.entries().size(); i++) {
      Expr expr = list.entries().get(i).expr().orElseThrow().bare();
      if (Functions.isAggregate(expr)) {
        Optional<Output> output = partial((Expr.Call) expr, i);
        if (output.isEmpty()) {
          return hindered(((Expr.Call) expr).name() + " over groups that cross shards");
        }
        outputs.add(output.get());
        if (output.get() instanceof Output.Average) {
          sumInPlaceOfAverage(block.selection().items().get(i), (Expr.Call) expr);
        }
      } else if (!Functions.aggregates(expr).isEmpty()) {
        return hindered("an expression over aggregates that cross shards");
      } else {
        outputs.add(new Output.Any(i));
      }
    }
    return true;
  }

  /** {@code index} of the aggregate in the row, or -1 where it is not there. */
  private Optional<Output> partial(Expr.Call call, int index) {
    if (call.distinct() || call.arguments().size() != 1) {
      return Optional.empty();
    }
    SqlTemplate sql = edits.of(call.span());
    return switch (call.name()) {
      case "COUNT" -> Optional.of(new Output.Count(at(index, sql)));
      case "SUM" -> Optional.of(new Output.Sum(at(index, sql)));
      case "AVG" -> {
        if (LooseSums.of(call.arguments().getFirst(), list.scope())) {
          yield Optional.empty();
        }
        int sum = at(index, renamed(call, "SUM"));
        yield Optional.of(new Output.Average(sum, columns.hidden(renamed(call, "COUNT"))));
      }
      case "MIN", "MAX" -> {
        Comparison comparison = list.comparison(call);
        if (comparison == Comparison.NONE) {
          yield Optional.empty();
        }
        Optional<Column> column =
            call.arguments().getFirst().bare() instanceof Expr.Name name
                ? list.meaning(name, false).flatMap(SelectList.Meaning::column)
                : Optional.empty();
        RowKey key = columns.extreme(index, sql, comparison, column);
        yield Optional.of(call.name().equals("MIN") ? new Output.Min(key) : new Output.Max(key));
      }
      default -> Optional.empty();
    };
  }

  private int at(int index, SqlTemplate sql) {
    return index >= 0 ? index : columns.hidden(sql);
  }

  private SqlTemplate renamed(Expr.Call call, String name) {
    SqlBuilder sql = new SqlBuilder().text(name);
    return edits.append(sql, new Span(call.nameSpan().end(), call.span().end())).build();
  }

  private void sumInPlaceOfAverage(Query.SelectItem item, Expr.Call call) {
    SqlBuilder sql = new SqlBuilder().template(renamed(call, "SUM"));
    if (item.alias().isPresent()) {
      edits.append(sql, new Span(item.expr().span().end(), item.span().end()));
    }
    edits.replace(item.span(), sql.build().pieces().toArray(Piece[]::new));
  }

  private boolean sort(List<SortKey> sort) {
    List<Output> hidden = new ArrayList<>();
    for (Expr.OrderItem item : query.orderBy()) {
      if (planning.literals().isParameter(item.expr())) {
        continue;
      }
      Optional<SelectList.Meaning> meaning = list.meaning(item.expr(), true);
      Optional<RowKey> key = meaning.flatMap(one -> sortKey(one, hidden));
      if (key.isEmpty()) {
        return hindered("ORDER BY a value that crosses shards");
      }
      sort.add(new SortKey(key.get(), item.descending()));
    }
    outputs.addAll(hidden);
    return true;
  }

  /** A sort key over the columns of the aggregated row, which are the outputs. */
  private Optional<RowKey> sortKey(SelectList.Meaning meaning, List<Output> hidden) {
    Expr expr = meaning.expr().orElseThrow().bare();
    if (Functions.isAggregate(expr)) {
      if (meaning.comparison() != Comparison.PLAIN) {
        return Optional.empty();
      }
      if (meaning.index() >= 0) {
        return Optional.of(new RowKey(meaning.index(), -1));
      }
      return partial((Expr.Call) expr, -1).map(output -> new RowKey(add(output, hidden), -1));
    }
    if (!Functions.aggregates(expr).isEmpty() || meaning.comparison() == Comparison.NONE) {
      return Optional.empty();
    }
    boolean isKey =
        meaning.index() >= 0 || groupKeys.stream().anyMatch(key -> key.sql().equals(meaning.sql()));
    if (!isKey) {
      return Optional.empty();
    }
    RowKey below =
        columns.key(meaning.index(), meaning.sql(), meaning.comparison(), meaning.column());
    int column =
        below.column() < list.entries().size()
            ? below.column()
            : add(new Output.Any(below.column()), hidden);
    int weight = below.weightColumn() < 0 ? -1 : add(new Output.Any(below.weightColumn()), hidden);
    return Optional.of(new RowKey(column, weight));
  }

  private int add(Output output, List<Output> hidden) {
    hidden.add(output);
    return outputs.size() + hidden.size() - 1;
  }
}
