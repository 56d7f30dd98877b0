package io.alrai.optimizer.rule;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.function.UnaryOperator;
import org.apache.calcite.rel.RelNode;
import org.apache.calcite.rel.core.Filter;
import org.apache.calcite.rel.core.Project;
import org.junit.jupiter.api.Test;

class RuleWalkTest {
  /** Takes filters away, and notes of which nodes. */
  private static final class DropFilters implements Rule<Filter> {
    private final List<String> seen = new ArrayList<>();

    @Override
    public Pattern<Filter> pattern() {
      return new Pattern<>(Filter.class, filter -> true);
    }

    @Override
    public String reason() {
      return "a test";
    }

    @Override
    public RelNode apply(Filter filter, UnaryOperator<RelNode> inner) {
      seen.add(filter.getCondition().toString());
      return inner.apply(filter.getInput());
    }
  }

  private static final RelNode TREE =
      Trees.of("SELECT m FROM (SELECT MAX(z) AS m FROM many WHERE x = 1) AS d WHERE m = 2");

  @Test
  void fromBelowInputsGoFirst() {
    DropFilters rule = new DropFilters();
    RuleWalk walk = new RuleWalk(RuleWalk.Order.FROM_BELOW, List.of(rule));
    RelNode result = walk.rewrite(TREE);
    assertEquals(List.of("=($1, 1)", "=($0, 2)"), rule.seen);
    assertEquals(Set.of(rule), walk.applied());
    assertTrue(!Trees.text(result).contains("Filter"), Trees.text(result));
  }

  @Test
  void fromAboveTheRuleSaysWhatBecomesOfInputs() {
    DropFilters rule = new DropFilters();
    new RuleWalk(RuleWalk.Order.FROM_ABOVE, List.of(rule)).rewrite(TREE);
    assertEquals(List.of("=($0, 2)", "=($1, 1)"), rule.seen);
  }

  @Test
  void aTreeThatNoRuleIsForIsTheSame() {
    RelNode tree = Trees.of("SELECT x FROM many");
    DropFilters rule = new DropFilters();
    RuleWalk walk = new RuleWalk(RuleWalk.Order.FROM_BELOW, List.of(rule));
    assertSame(tree, walk.rewrite(tree));
    assertEquals(Set.of(), walk.applied());
  }

  @Test
  void aPatternIsAKindOfNodeAndMore() {
    RelNode tree = Trees.of("SELECT x FROM many");
    assertTrue(new Pattern<>(Project.class, node -> true).match(tree).isPresent());
    assertTrue(new Pattern<>(Project.class, node -> false).match(tree).isEmpty());
    assertTrue(new Pattern<>(Filter.class, node -> true).match(tree).isEmpty());
  }
}
