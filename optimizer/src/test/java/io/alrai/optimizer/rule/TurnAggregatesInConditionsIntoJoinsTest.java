package io.alrai.optimizer.rule;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.alrai.optimizer.logical.NotCovered;
import org.apache.calcite.rel.RelNode;
import org.junit.jupiter.api.Test;

class TurnAggregatesInConditionsIntoJoinsTest {
  private static RelNode after(RelNode tree) {
    return Trees.after(new TurnAggregatesInConditionsIntoJoins(), RuleWalk.Order.FROM_BELOW, tree);
  }

  @Test
  void aComparisonNeedsARowOfTheGroup() {
    RelNode tree =
        Trees.of(
            "SELECT x FROM many WHERE x = 3 AND z ="
                + " (SELECT MAX(y) FROM few WHERE few.id = many.id)");
    assertEquals(
        """
        Project(c0=[$1])
          Project(id=[$0], x=[$1], z=[$2])
            Filter(condition=[=($2, $4)])
              Join(condition=[=($0, $3)], joinType=[inner])
                Filter(condition=[=($1, 3)])
                  TableScan(table=[[t, many]])
                Aggregate(group=[{0}], agg#0=[MAX($1)])
                  Project(c0=[$0], c1=[$2])
                    TableScan(table=[[t, few]])
        """,
        Trees.text(after(tree)));
  }

  @Test
  void aCountOfNoRowsIsZero() {
    RelNode tree =
        Trees.of("SELECT x FROM many WHERE z = (SELECT COUNT(*) FROM few WHERE few.id = many.id)");
    assertEquals(
        """
        Project(c0=[$1])
          Project(id=[$0], x=[$1], z=[$2])
            Filter(condition=[=($2, COALESCE($4, 0:BIGINT))])
              Join(condition=[=($0, $3)], joinType=[left])
                TableScan(table=[[t, many]])
                Aggregate(group=[{0}], agg#0=[COUNT()])
                  Project(c0=[$0], c1=[$0], c2=[$1], c3=[$2])
                    TableScan(table=[[t, few]])
        """,
        Trees.text(after(tree)));
  }

  @Test
  void anotherConditionThanAnEqualityIsNotCovered() {
    RelNode tree =
        Trees.of("SELECT x FROM many WHERE z = (SELECT MAX(y) FROM few WHERE few.id < many.id)");
    assertThrows(NotCovered.class, () -> after(tree));
  }

  @Test
  void conditionsWithoutSubqueriesAreLeftAlone() {
    RelNode plain = Trees.of("SELECT x FROM many WHERE z = 1");
    assertSame(plain, after(plain));
  }
}
