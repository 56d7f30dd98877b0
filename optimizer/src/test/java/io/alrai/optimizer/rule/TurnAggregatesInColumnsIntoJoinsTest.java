package io.alrai.optimizer.rule;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertSame;

import org.apache.calcite.rel.RelNode;
import org.junit.jupiter.api.Test;

class TurnAggregatesInColumnsIntoJoinsTest {
  private static RelNode after(RelNode tree) {
    return Trees.after(new TurnAggregatesInColumnsIntoJoins(), RuleWalk.Order.FROM_BELOW, tree);
  }

  @Test
  void aRowWithoutAGroupIsKept() {
    RelNode tree = Trees.of("SELECT x, (SELECT MAX(y) FROM few WHERE few.id = many.id) FROM many");
    assertEquals(
        """
        Project(c0=[$1], c1=[$4])
          Join(condition=[=($0, $3)], joinType=[left])
            TableScan(table=[[t, many]])
            Aggregate(group=[{0}], agg#0=[MAX($1)])
              Project(c0=[$0], c1=[$2])
                TableScan(table=[[t, few]])
        """,
        Trees.text(after(tree)));
  }

  @Test
  void columnsWithoutSubqueriesAreLeftAlone() {
    RelNode plain = Trees.of("SELECT x, z + 1 FROM many");
    assertSame(plain, after(plain));
  }
}
