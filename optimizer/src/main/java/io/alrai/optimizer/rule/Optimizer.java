package io.alrai.optimizer.rule;

import io.alrai.optimizer.cost.Estimator;
import io.alrai.optimizer.logical.NotCovered;
import org.apache.calcite.plan.RelOptUtil;
import org.apache.calcite.rel.RelNode;

/** All rewrites in their order. Stateless; any thread. */
public final class Optimizer {
  private Optimizer() {}

  /**
   * The tree that costs least, of those that are looked at.
   *
   * @throws NotCovered when a subquery has a form that no join can stand for
   */
  public static RelNode optimize(RelNode bound) {
    RelNode joined = new TurnSubqueriesIntoJoins().apply(bound);
    if (!RelOptUtil.getVariablesUsed(joined).isEmpty()) {
      throw new NotCovered("a subquery that depends on rows around it too deeply");
    }
    RelNode pushed = PushDown.conditions(joined);
    RelNode ordered = new OrderJoinsByCost(new Estimator()).apply(pushed);
    return PushDown.columns(PushDown.conditions(ordered));
  }
}
