package io.alrai.cn.columnar.node;

import io.alrai.common.type.MysqlType;
import io.alrai.executor.fragment.AnalyticPlan;
import io.alrai.executor.fragment.PlanNode;
import io.alrai.executor.fragment.PlanNode.ColumnScan;
import io.alrai.executor.fragment.Scalar;
import io.alrai.executor.fragment.ScalarFunction;
import io.alrai.executor.fragment.ValueType;
import io.alrai.gms.api.Table;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** What a plan wants of a table, as a scan by itself. Stateless. */
final class WantedColumns {
  private WantedColumns() {}

  /** All that its scans of the table read; the rows of its condition where there is one scan. */
  static ColumnScan of(AnalyticPlan plan, Table table) {
    List<ColumnScan> scans = new ArrayList<>();
    plan.subqueries().forEach(subquery -> collect(subquery, table, scans));
    collect(plan.root(), table, scans);
    Map<String, ValueType> columns = new LinkedHashMap<>();
    for (ColumnScan scan : scans) {
      for (int i = 0; i < scan.names().size(); i++) {
        columns.putIfAbsent(scan.names().get(i), scan.columns().get(i));
      }
    }
    return new ColumnScan(
        table.schema(),
        table.name(),
        List.copyOf(columns.keySet()),
        List.copyOf(columns.values()),
        scans.size() == 1
            ? scans.getFirst().predicate().flatMap(WantedColumns::known)
            : Optional.empty(),
        List.of());
  }

  private static void collect(PlanNode node, Table table, List<ColumnScan> found) {
    if (node instanceof ColumnScan scan
        && scan.schema().equals(table.schema())
        && scan.table().equals(table.name())) {
      found.add(scan);
    }
    node.inputs().forEach(input -> collect(input, table, found));
  }

  /** What of a condition can be said without the plan's subqueries. */
  private static Optional<Scalar> known(Scalar predicate) {
    List<Scalar> parts =
        predicate instanceof Scalar.Call call && call.function() == ScalarFunction.AND
            ? call.arguments()
            : List.of(predicate);
    List<Scalar> known = parts.stream().filter(part -> !asks(part)).toList();
    return switch (known.size()) {
      case 0 -> Optional.empty();
      case 1 -> Optional.of(known.getFirst());
      default -> Optional.of(Scalar.call(ScalarFunction.AND, known));
    };
  }

  private static boolean asks(Scalar scalar) {
    return switch (scalar) {
      case Scalar.SubqueryValue _, Scalar.Parameter _ -> true;
      case Scalar.Column _, Scalar.Literal _ -> false;
      case Scalar.Call call -> call.arguments().stream().anyMatch(WantedColumns::asks);
      case Scalar.Case choice ->
          choice.branches().stream()
                  .anyMatch(branch -> asks(branch.condition()) || asks(branch.value()))
              || choice.otherwise().filter(WantedColumns::asks).isPresent();
      case Scalar.Cast cast -> asks(cast.argument());
      case Scalar.InList in ->
          asks(in.argument()) || in.values().stream().anyMatch(WantedColumns::asks);
      case Scalar.Like like -> asks(like.argument()) || asks(like.pattern());
      case Scalar.Extract extract -> asks(extract.argument());
      case Scalar.DateAdd add -> asks(add.argument()) || asks(add.amount());
    };
  }

  /** A plan that is this scan. */
  static AnalyticPlan plan(ColumnScan scan) {
    return new AnalyticPlan(
        scan,
        scan.names().stream()
            .map(name -> new AnalyticPlan.OutputColumn(name, MysqlType.VARCHAR))
            .toList(),
        List.of(),
        0);
  }
}
