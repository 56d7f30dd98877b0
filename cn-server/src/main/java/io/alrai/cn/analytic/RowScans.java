package io.alrai.cn.analytic;

import io.alrai.cn.columnar.RowScan;
import io.alrai.executor.fragment.AnalyticPlan;
import io.alrai.executor.fragment.PlanNode;
import io.alrai.gms.api.Catalog;
import io.alrai.gms.api.Table;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Predicate;

/** What a plan wants of tables that are read from the row store, each once. Stateless. */
final class RowScans {
  private RowScans() {}

  /** One for each table of the plan that is to be read by rows. */
  static List<RowScan> of(
      AnalyticPlan plan, Catalog catalog, Predicate<ScannedTables.Name> byRows) {
    List<RowScan> scans = new ArrayList<>();
    for (ScannedTables.Name name : ScannedTables.of(plan)) {
      Optional<Table> table = catalog.table(name.schema(), name.table());
      if (byRows.test(name) && table.isPresent()) {
        scans.add(of(table.get(), ScannedTables.scans(plan)));
      }
    }
    return scans;
  }

  /** All columns that are named, and the rows of any of the table's scans. */
  private static RowScan of(Table table, List<PlanNode.ColumnScan> all) {
    Set<String> columns = new HashSet<>();
    List<String> conditions = new ArrayList<>();
    boolean every = false;
    for (PlanNode.ColumnScan scan : all) {
      if (scan.schema().equals(table.schema()) && scan.table().equals(table.name())) {
        columns.addAll(scan.names());
        Optional<String> condition =
            scan.predicate().flatMap(predicate -> PushedConditions.of(predicate, scan.names()));
        condition.ifPresent(conditions::add);
        every |= condition.isEmpty();
      }
    }
    return new RowScan(
        table,
        columns,
        every ? Optional.empty() : Optional.of("(" + String.join(") OR (", conditions) + ")"));
  }
}
