package io.alrai.optimizer.rule;

import java.util.function.UnaryOperator;
import org.apache.calcite.rel.RelNode;

/** A rewrite of one node into a tree with equal rows. One thread. */
interface Rule<N extends RelNode> {
  /** The nodes that it rewrites. */
  Pattern<N> pattern();

  /** Why it is done: one line for EXPLAIN LOGICAL. */
  String reason();

  /**
   * Rewrites a node that matches the pattern.
   *
   * @param inner rewrites trees within the node that the walk does not come to: subqueries, or all
   *     that is below where the walk is from the top
   * @throws io.alrai.optimizer.logical.NotCovered when no tree can stand for it
   */
  RelNode apply(N node, UnaryOperator<RelNode> inner);
}
