package io.alrai.optimizer.api.explain;

import io.alrai.executor.fragment.AnalyticPlan;
import io.alrai.executor.fragment.PlanNode;
import io.alrai.executor.fragment.PlanNode.AggregateCall;
import io.alrai.executor.fragment.PlanNode.SortKey;
import io.alrai.executor.fragment.Scalar;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Predicate;
import java.util.stream.Collectors;

/** An analytical plan as text: a line for each node, what it reads below it. Stateless. */
public final class AnalyticalText {
  private final List<String> lines = new ArrayList<>();

  private final Predicate<PlanNode.ColumnScan> readsRows;

  private AnalyticalText(Predicate<PlanNode.ColumnScan> readsRows) {
    this.readsRows = readsRows;
  }

  /**
   * The lines of EXPLAIN PHYSICAL.
   *
   * @param readsRows the scans of tables that have no column index
   */
  public static List<String> of(AnalyticPlan plan, Predicate<PlanNode.ColumnScan> readsRows) {
    AnalyticalText text = new AnalyticalText(readsRows);
    for (int i = 0; i < plan.subqueries().size(); i++) {
      text.lines.add("subquery " + i);
      text.node(plan.subqueries().get(i), 1);
    }
    text.node(plan.root(), 0);
    return text.lines;
  }

  private void node(PlanNode node, int depth) {
    lines.add("  ".repeat(depth) + line(node));
    node.inputs().forEach(input -> node(input, depth + 1));
  }

  private String line(PlanNode node) {
    return switch (node) {
      case PlanNode.ColumnScan scan -> scan(scan);
      case PlanNode.RowStoreScan scan -> "scan of shards " + scan.shardSql();
      case PlanNode.Values values -> "values";
      case PlanNode.Filter filter -> "filter " + ScalarText.of(filter.predicate());
      case PlanNode.Project project -> "project " + ScalarText.of(project.expressions());
      case PlanNode.HashJoin join -> join(join);
      case PlanNode.Aggregate aggregate ->
          "aggregate by ["
              + ScalarText.of(aggregate.keys())
              + "]: "
              + aggregate.calls().stream()
                  .map(AnalyticalText::call)
                  .collect(Collectors.joining(", "));
      case PlanNode.Sort sort -> "sort by " + keys(sort.keys());
      case PlanNode.TopN top ->
          "first "
              + ScalarText.of(top.count())
              + " behind "
              + ScalarText.of(top.offset())
              + " by "
              + keys(top.keys());
      case PlanNode.Limit limit ->
          "limit " + ScalarText.of(limit.count()) + " behind " + ScalarText.of(limit.offset());
      case PlanNode.Window window -> "window by " + ScalarText.of(window.partitionBy());
      case PlanNode.SetOperation operation -> operation.kind().toString();
      case PlanNode.Exchange exchange -> "exchange " + exchange.kind();
    };
  }

  private String scan(PlanNode.ColumnScan scan) {
    String blooms =
        scan.blooms().stream()
            .map(use -> ", bloom " + use.slot() + " " + use.keys())
            .collect(Collectors.joining());
    return (readsRows.test(scan) ? "read rows of " : "scan column index of ")
        + scan.schema()
        + "."
        + scan.table()
        + " ("
        + String.join(", ", scan.names())
        + ")"
        + scan.predicate().map(predicate -> " where " + ScalarText.of(predicate)).orElse("")
        + blooms;
  }

  private static String join(PlanNode.HashJoin join) {
    StringBuilder line = new StringBuilder(join.kind() + " join");
    for (int i = 0; i < join.probeKeys().size(); i++) {
      line.append(i == 0 ? " on " : " and ");
      line.append(ScalarText.of(join.probeKeys().get(i)));
      line.append(" = build ").append(ScalarText.of(join.buildKeys().get(i)));
    }
    join.residual().ifPresent(rest -> line.append(" if ").append(ScalarText.of(rest)));
    join.bloomSlot().ifPresent(slot -> line.append(", fills bloom ").append(slot));
    return line.toString();
  }

  private static String call(AggregateCall call) {
    return call.function()
        + "("
        + (call.distinct() ? "DISTINCT " : "")
        + (call.arguments().isEmpty() ? "*" : ScalarText.of(call.arguments()))
        + ") "
        + call.type();
  }

  private static String keys(List<SortKey> keys) {
    return keys.stream()
        .map(key -> ScalarText.of(key.value()) + (key.descending() ? " descending" : ""))
        .collect(Collectors.joining(", "));
  }

  /** Expressions as text: columns are numbers of the input. */
  private static final class ScalarText {
    private ScalarText() {}

    static String of(List<Scalar> scalars) {
      return scalars.stream().map(ScalarText::of).collect(Collectors.joining(", "));
    }

    static String of(Scalar scalar) {
      return switch (scalar) {
        case Scalar.Column column -> "$" + column.index();
        case Scalar.Literal literal -> ConstantText.of(literal.value());
        case Scalar.Parameter parameter -> "?" + parameter.slot();
        case Scalar.SubqueryValue value -> "subquery " + value.subquery();
        case Scalar.Call call -> call.function() + "(" + of(call.arguments()) + ")";
        case Scalar.Case choice ->
            "CASE("
                + choice.branches().stream()
                    .map(branch -> of(branch.condition()) + ": " + of(branch.value()))
                    .collect(Collectors.joining(", "))
                + choice.otherwise().map(value -> ", else " + of(value)).orElse("")
                + ")";
        case Scalar.Cast cast -> "CAST(" + of(cast.argument()) + " AS " + cast.type() + ")";
        case Scalar.InList in -> of(in.argument()) + " IN (" + of(in.values()) + ")";
        case Scalar.Like like -> of(like.argument()) + " LIKE " + of(like.pattern());
        case Scalar.Extract extract -> extract.unit() + "(" + of(extract.argument()) + ")";
        case Scalar.DateAdd add -> of(add.argument()) + " + " + of(add.amount()) + " " + add.unit();
      };
    }
  }
}
