package io.alrai.cn.analytic;

import io.alrai.executor.fragment.AnalyticPlan;
import io.alrai.executor.fragment.PlanNode;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/** The tables that a plan reads. Stateless. */
final class ScannedTables {
  private ScannedTables() {}

  /** A table's name. */
  record Name(String schema, String table) {
    @Override
    public String toString() {
      return schema + "." + table;
    }
  }

  /** Their names, each once. */
  static Set<Name> of(AnalyticPlan plan) {
    Set<Name> names = new LinkedHashSet<>();
    scans(plan).forEach(scan -> names.add(new Name(scan.schema(), scan.table())));
    return names;
  }

  /** The scans themselves. */
  static List<PlanNode.ColumnScan> scans(AnalyticPlan plan) {
    List<PlanNode.ColumnScan> found = new ArrayList<>();
    plan.subqueries().forEach(subquery -> collect(subquery, found));
    collect(plan.root(), found);
    return found;
  }

  private static void collect(PlanNode node, List<PlanNode.ColumnScan> found) {
    if (node instanceof PlanNode.ColumnScan scan) {
      found.add(scan);
    }
    node.inputs().forEach(input -> collect(input, found));
  }
}
