package io.alrai.optimizer.cost;

import org.apache.calcite.rel.RelNode;
import org.apache.calcite.rel.core.Join;

/** What a whole tree costs, in rows that are looked at. */
public final class PlanCost {
  private static final double BUILD = 2;

  private PlanCost() {}

  /** The rows that every node reads; those of a hash table's build side count twice. */
  public static double of(RelNode node, Estimator estimator) {
    double cost = node.getInputs().isEmpty() ? estimator.of(node).rows() : 0;
    for (RelNode input : node.getInputs()) {
      cost += of(input, estimator) + estimator.of(input).rows();
    }
    return node instanceof Join join
        ? cost + (BUILD - 1) * estimator.of(join.getRight()).rows()
        : cost;
  }
}
