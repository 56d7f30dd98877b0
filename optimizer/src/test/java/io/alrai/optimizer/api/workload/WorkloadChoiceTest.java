package io.alrai.optimizer.api.workload;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.alrai.executor.fragment.AnalyticPlan;
import io.alrai.executor.fragment.PlanNode;
import io.alrai.optimizer.api.AnalyticalAnswer;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class WorkloadChoiceTest {
  private static AnalyticalAnswer costing(double cost) {
    PlanNode nothing = new PlanNode.Values(List.of(List.of()), List.of());
    AnalyticPlan plan = new AnalyticPlan(nothing, List.of(), List.of(), 0);
    return new AnalyticalAnswer.Planned(plan, cost, 1, "");
  }

  private static WorkloadChoice choose(
      double cost, Optional<Workload> hint, Optional<Workload> variable) {
    return WorkloadChoice.of(costing(cost), hint, variable, 1000);
  }

  @Test
  void costDecides() {
    assertEquals(
        new WorkloadChoice(Workload.TP, "cost 999 is below the threshold 1000"),
        choose(999, Optional.empty(), Optional.empty()));
    assertEquals(
        new WorkloadChoice(Workload.AP, "cost 1000 is not below the threshold 1000"),
        choose(1000, Optional.empty(), Optional.empty()));
  }

  @Test
  void theHintGoesBeforeTheVariableAndTheVariableBeforeTheCost() {
    assertEquals(
        Workload.TP, choose(1e9, Optional.of(Workload.TP), Optional.of(Workload.AP)).workload());
    assertEquals(
        new WorkloadChoice(Workload.AP, "variable workload_type = AP"),
        choose(1, Optional.empty(), Optional.of(Workload.AP)));
  }

  @Test
  void whatIsNotCoveredIsTransactionalWhateverIsWished() {
    assertEquals(
        new WorkloadChoice(Workload.TP, "column indexes do not take a recursive WITH"),
        WorkloadChoice.of(
            new AnalyticalAnswer.NotCovered("a recursive WITH"),
            Optional.of(Workload.AP),
            Optional.empty(),
            0));
  }

  @Test
  void hintsStandBehindTheFirstSelect() {
    assertEquals(
        Optional.of(Workload.AP), WorkloadWish.ofHint("select /*+ workload_type(AP) */ 1"));
    assertEquals(
        Optional.of(Workload.TP),
        WorkloadWish.ofHint("(SELECT /*+ MAX_EXECUTION_TIME(9) WORKLOAD_TYPE( tp ) */ 1)"));
    assertEquals(Optional.empty(), WorkloadWish.ofHint("SELECT /* workload_type(AP) */ 1"));
    assertEquals(
        Optional.empty(), WorkloadWish.ofHint("SELECT /*+ a() */ '/*+ workload_type(AP) */'"));
  }

  @Test
  void theVariableMayBeAuto() {
    assertEquals(Optional.empty(), WorkloadWish.ofVariable("auto"));
    assertEquals(Optional.of(Workload.AP), WorkloadWish.ofVariable(" ap "));
  }
}
