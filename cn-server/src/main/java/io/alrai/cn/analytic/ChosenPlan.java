package io.alrai.cn.analytic;

import io.alrai.cn.columnar.RowScan;
import io.alrai.executor.fragment.AnalyticPlan;
import java.util.List;

/**
 * A plan that is to run.
 *
 * @param rows what is read of tables that have no column index; the others are read from theirs
 */
public record ChosenPlan(AnalyticPlan plan, List<RowScan> rows) {
  public ChosenPlan {
    rows = List.copyOf(rows);
  }
}
