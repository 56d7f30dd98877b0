package io.alrai.cn.analytic;

import io.alrai.cn.columnar.RowScan;
import io.alrai.executor.fragment.PlanNode;
import io.alrai.optimizer.api.AnalyticalAnswer;
import io.alrai.optimizer.api.workload.Workload;
import io.alrai.optimizer.api.workload.WorkloadChoice;
import java.util.List;
import java.util.Optional;

/**
 * A SELECT that was looked at.
 *
 * @param answer its plan over column indexes, or why there is none
 * @param choice where it goes, and why
 * @param rows what the plan reads of tables that have no column index
 */
record Examined(AnalyticalAnswer answer, WorkloadChoice choice, List<RowScan> rows) {
  Examined {
    rows = List.copyOf(rows);
  }

  /** The plan that is to run; empty where the row store answers. */
  Optional<ChosenPlan> chosen() {
    return choice.workload() == Workload.AP && answer instanceof AnalyticalAnswer.Planned planned
        ? Optional.of(new ChosenPlan(planned.plan(), rows))
        : Optional.empty();
  }

  /** Whether a scan of the plan reads rows. */
  boolean readsRows(PlanNode.ColumnScan scan) {
    return rows.stream()
        .map(RowScan::table)
        .anyMatch(t -> t.schema().equals(scan.schema()) && t.name().equals(scan.table()));
  }
}
