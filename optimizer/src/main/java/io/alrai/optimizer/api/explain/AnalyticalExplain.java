package io.alrai.optimizer.api.explain;

import io.alrai.executor.fragment.PlanNode;
import io.alrai.optimizer.api.AnalyticalAnswer;
import io.alrai.optimizer.api.workload.WorkloadChoice;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.function.Predicate;

/** EXPLAIN LOGICAL, PHYSICAL and COST of a SELECT. Stateless. */
public final class AnalyticalExplain {
  /** What is asked for. */
  public enum Detail {
    /** The tree after all rewrites. */
    LOGICAL,
    /** What the executor runs. */
    PHYSICAL,
    /** What it is expected to cost. */
    COST
  }

  private AnalyticalExplain() {}

  /**
   * The lines, of which the first says TP or AP with the reason.
   *
   * @param readsRows the scans of tables that have no column index
   */
  public static List<String> of(
      AnalyticalAnswer answer,
      WorkloadChoice choice,
      Detail detail,
      Predicate<PlanNode.ColumnScan> readsRows) {
    List<String> lines = new ArrayList<>();
    lines.add("workload: " + choice.workload() + " (" + choice.reason() + ")");
    if (answer instanceof AnalyticalAnswer.Planned planned) {
      lines.addAll(
          switch (detail) {
            case LOGICAL -> planned.logical().lines().toList();
            case PHYSICAL -> AnalyticalText.of(planned.plan(), readsRows);
            case COST ->
                List.of(
                    String.format(Locale.ROOT, "cost: %.0f rows to look at", planned.cost()),
                    String.format(Locale.ROOT, "result: %.0f rows", planned.rows()));
          });
    }
    return lines;
  }
}
