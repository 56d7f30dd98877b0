package io.alrai.optimizer.rule;

import java.util.Optional;
import java.util.function.Predicate;
import org.apache.calcite.rel.RelNode;

/**
 * Which nodes a rule is for.
 *
 * @param type the kind of node
 * @param which what else must be true of it
 */
record Pattern<N extends RelNode>(Class<N> type, Predicate<N> which) {
  /** The node, if it is one of these. */
  Optional<N> match(RelNode node) {
    return Optional.of(node).filter(type::isInstance).map(type::cast).filter(which);
  }
}
