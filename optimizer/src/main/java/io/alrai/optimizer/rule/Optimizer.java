package io.alrai.optimizer.rule;

import io.alrai.optimizer.cost.Estimator;
import io.alrai.optimizer.logical.NotCovered;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import org.apache.calcite.plan.RelOptUtil;
import org.apache.calcite.rel.RelNode;

/** All rewrites of the trees of one statement, in their order. One thread. */
public final class Optimizer {
  /** They have no state: all statements share them. */
  private static final List<Rule<?>> SUBQUERIES =
      List.of(
          new TurnMembershipsIntoSemiJoins(),
          new TurnAggregatesInConditionsIntoJoins(),
          new TurnAggregatesInColumnsIntoJoins());

  private final Set<String> reasons = new LinkedHashSet<>();

  /**
   * The tree that costs least, of those that are looked at.
   *
   * @throws NotCovered when a subquery has a form that no join can stand for
   */
  public RelNode optimize(RelNode bound) {
    RelNode joined = walk(RuleWalk.Order.FROM_BELOW, SUBQUERIES, bound);
    if (!RelOptUtil.getVariablesUsed(joined).isEmpty()) {
      throw new NotCovered("a subquery that depends on rows around it too deeply");
    }
    List<Rule<?>> joins = List.of(new OrderJoinsByCost(new Estimator()));
    RelNode ordered = walk(RuleWalk.Order.FROM_ABOVE, joins, PushDown.conditions(joined));
    return PushDown.columns(PushDown.conditions(ordered));
  }

  private RelNode walk(RuleWalk.Order order, List<Rule<?>> rules, RelNode tree) {
    RuleWalk walk = new RuleWalk(order, rules);
    RelNode result = walk.rewrite(tree);
    walk.applied()
        .forEach(rule -> reasons.add(rule.getClass().getSimpleName() + ": " + rule.reason()));
    return result;
  }

  /** The rules that were applied so far, each with its reason. */
  public Set<String> reasons() {
    return reasons;
  }
}
