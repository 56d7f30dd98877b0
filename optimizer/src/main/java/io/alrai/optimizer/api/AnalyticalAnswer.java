package io.alrai.optimizer.api;

import io.alrai.executor.fragment.AnalyticPlan;

/** What the analytical planner made of a statement. */
public sealed interface AnalyticalAnswer {
  /**
   * It can run over column indexes.
   *
   * @param plan for the executor; valid for this catalog and these values
   * @param cost expected, in rows that are looked at
   * @param rows expected in the result
   * @param logical the tree and the rules that made it, as text for EXPLAIN LOGICAL
   */
  record Planned(AnalyticPlan plan, double cost, double rows, String logical)
      implements AnalyticalAnswer {}

  /**
   * It goes the row store's way.
   *
   * @param reason what of the statement is the cause, as a part of a sentence
   */
  record NotCovered(String reason) implements AnalyticalAnswer {}
}
