package io.alrai.optimizer.rule;

import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.apache.calcite.rel.RelNode;

/** Walks through trees and applies rules to their nodes. One thread. */
final class RuleWalk {
  /** In which order the nodes of a tree are looked at. */
  enum Order {
    /** Inputs first; rules are applied to a node until none is for it. */
    FROM_BELOW,

    /** A node first; the inputs only where no rule is for it. */
    FROM_ABOVE
  }

  private final Order order;
  private final List<Rule<?>> rules;
  private final Set<Rule<?>> applied = new LinkedHashSet<>();

  RuleWalk(Order order, List<Rule<?>> rules) {
    this.order = order;
    this.rules = List.copyOf(rules);
  }

  /** The rules that were applied to any of the trees so far. */
  Set<Rule<?>> applied() {
    return applied;
  }

  /** The tree after all rules; the same node where none is for any of its nodes. */
  RelNode rewrite(RelNode node) {
    return switch (order) {
      case FROM_BELOW -> {
        RelNode result = overInputs(node);
        Optional<RelNode> next = once(result);
        while (next.isPresent()) {
          result = next.get();
          next = once(result);
        }
        yield result;
      }
      case FROM_ABOVE -> once(node).orElseGet(() -> overInputs(node));
    };
  }

  private RelNode overInputs(RelNode node) {
    List<RelNode> inputs = node.getInputs().stream().map(this::rewrite).toList();
    return inputs.equals(node.getInputs()) ? node : node.copy(node.getTraitSet(), inputs);
  }

  private Optional<RelNode> once(RelNode node) {
    return rules.stream().flatMap(rule -> apply(rule, node).stream()).findFirst();
  }

  private <N extends RelNode> Optional<RelNode> apply(Rule<N> rule, RelNode node) {
    Optional<N> match = rule.pattern().match(node);
    if (match.isEmpty()) {
      return Optional.empty();
    }
    applied.add(rule);
    return Optional.of(rule.apply(match.get(), this::rewrite));
  }
}
