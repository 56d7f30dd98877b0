package io.alrai.optimizer.rule;

import io.alrai.optimizer.cost.Estimator;
import io.alrai.optimizer.cost.JoinSearch;
import io.alrai.optimizer.cost.JoinTree;
import io.alrai.optimizer.logical.Expressions;
import io.alrai.optimizer.logical.NotCovered;
import java.util.function.UnaryOperator;
import org.apache.calcite.rel.RelNode;

/**
 * Joins in the order that costs least: semi, anti and outer joins move with the inner ones as far
 * as what they read allows. The right side of each join is the one to build a hash table of.
 */
final class OrderJoinsByCost implements Rule<RelNode> {
  private static final int MOST_RELATIONS = 30;

  private final Estimator estimator;

  /** By these estimates. */
  OrderJoinsByCost(Estimator estimator) {
    this.estimator = estimator;
  }

  @Override
  public Pattern<RelNode> pattern() {
    return new Pattern<>(RelNode.class, JoinRegion::starts);
  }

  @Override
  public String reason() {
    return "joins are in the order that costs least by the tables' statistics";
  }

  @Override
  public RelNode apply(RelNode top, UnaryOperator<RelNode> inner) {
    JoinRegion region = new JoinRegion(top, inner);
    if (region.relations().size() > MOST_RELATIONS) {
      throw new NotCovered("joins of more than " + MOST_RELATIONS + " tables");
    }
    Expressions expressions = Expressions.of(top.getCluster().getRexBuilder());
    region.filterRelations(expressions);
    RegionEstimates estimates = new RegionEstimates(region, estimator);
    JoinTree tree = new JoinSearch(estimates.vertices(), estimates.edges()).cheapest();
    return new OrderedJoins(region, expressions).build(tree);
  }
}
