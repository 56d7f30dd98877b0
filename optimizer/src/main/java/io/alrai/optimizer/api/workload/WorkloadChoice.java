package io.alrai.optimizer.api.workload;

import io.alrai.optimizer.api.AnalyticalAnswer;
import java.util.Locale;
import java.util.Optional;

/**
 * TP or AP, and why.
 *
 * @param workload the choice
 * @param reason one line for EXPLAIN
 */
public record WorkloadChoice(Workload workload, String reason) {
  /** Rows that a statement may look at and still be transactional. */
  public static final double DEFAULT_THRESHOLD = 50_000;

  /**
   * Chooses.
   *
   * @param answer of the analytical planner
   * @param hint of the statement; it goes before the variable
   * @param variable of the session
   * @param threshold rows to look at from which on a statement is analytical
   */
  public static WorkloadChoice of(
      AnalyticalAnswer answer,
      Optional<Workload> hint,
      Optional<Workload> variable,
      double threshold) {
    return switch (answer) {
      case AnalyticalAnswer.NotCovered(String reason) ->
          new WorkloadChoice(Workload.TP, "column indexes do not take " + reason);
      case AnalyticalAnswer.Planned planned ->
          hint.map(wish -> new WorkloadChoice(wish, "hint workload_type(" + wish + ")"))
              .or(() ->
                  variable.map(
                      wish -> new WorkloadChoice(wish, "variable workload_type = " + wish)))
              .orElseGet(() -> byCost(planned.cost(), threshold));
    };
  }

  private static WorkloadChoice byCost(double cost, double threshold) {
    boolean analytical = cost >= threshold;
    return new WorkloadChoice(
        analytical ? Workload.AP : Workload.TP,
        String.format(
            Locale.ROOT,
            "cost %.0f is %s the threshold %.0f",
            cost,
            analytical ? "not below" : "below",
            threshold));
  }
}
