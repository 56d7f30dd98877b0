package io.alrai.cn.analytic;

import io.alrai.executor.fragment.AnalyticPlan;
import io.alrai.optimizer.api.AnalyticalAnswer;
import io.alrai.optimizer.split.Workload;
import io.alrai.optimizer.split.WorkloadChoice;
import java.util.Optional;

/**
 * A SELECT that was looked at.
 *
 * @param answer its plan over column indexes, or why there is none
 * @param choice where it goes, and why
 */
record Examined(AnalyticalAnswer answer, WorkloadChoice choice) {
  /** The plan that is to run; empty where the row store answers. */
  Optional<AnalyticPlan> chosen() {
    return choice.workload() == Workload.AP && answer instanceof AnalyticalAnswer.Planned planned
        ? Optional.of(planned.plan())
        : Optional.empty();
  }
}
