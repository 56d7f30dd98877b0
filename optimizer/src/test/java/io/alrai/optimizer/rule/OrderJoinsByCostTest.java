package io.alrai.optimizer.rule;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertSame;

import io.alrai.optimizer.cost.Estimator;
import org.apache.calcite.rel.RelNode;
import org.junit.jupiter.api.Test;

class OrderJoinsByCostTest {
  private static RelNode after(RelNode tree) {
    return Trees.after(new OrderJoinsByCost(new Estimator()), RuleWalk.Order.FROM_ABOVE, tree);
  }

  @Test
  void theHashTableIsOfTheFewRows() {
    RelNode tree = Trees.of("SELECT many.z FROM few JOIN many ON few.id = many.id");
    assertEquals(
        """
        Project(c0=[$5])
          Project(c0=[$3], c1=[$4], c2=[$5], c3=[$0], c4=[$1], c5=[$2])
            Join(condition=[=($3, $0)], joinType=[inner])
              TableScan(table=[[t, many]])
              TableScan(table=[[t, few]])
        """,
        Trees.text(after(tree)));
  }

  @Test
  void aDisjunctionFiltersEachOfItsTables() {
    RelNode tree =
        Trees.of(
            "SELECT many.z FROM many, few WHERE few.id = many.id"
                + " AND (few.x = 1 AND many.x = 2 OR few.x = 3 AND many.x = 4)");
    assertEquals(
        """
        Project(c0=[$2])
          Join(condition=[AND(=($3, $0), OR(AND(=($4, 1), =($1, 2)), AND(=($4, 3), =($1, 4))))], joinType=[inner])
            Filter(condition=[OR(=($1, 2), =($1, 4))])
              TableScan(table=[[t, many]])
            Filter(condition=[OR(=($1, 1), =($1, 3))])
              TableScan(table=[[t, few]])
        """,
        Trees.text(after(tree)));
  }

  @Test
  void oneTableIsLeftAlone() {
    RelNode tree = Trees.of("SELECT x FROM many WHERE z = 1 ORDER BY x");
    assertSame(tree, after(tree));
  }
}
