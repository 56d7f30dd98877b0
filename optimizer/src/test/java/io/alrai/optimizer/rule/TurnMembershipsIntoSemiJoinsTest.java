package io.alrai.optimizer.rule;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.alrai.optimizer.logical.NotCovered;
import org.apache.calcite.rel.RelNode;
import org.junit.jupiter.api.Test;

class TurnMembershipsIntoSemiJoinsTest {
  private static RelNode after(RelNode tree) {
    return Trees.after(new TurnMembershipsIntoSemiJoins(), RuleWalk.Order.FROM_BELOW, tree);
  }

  @Test
  void existsIsASemiJoinOverTheOtherConditions() {
    RelNode tree =
        Trees.of(
            "SELECT x FROM many WHERE z = 1 AND EXISTS"
                + " (SELECT 1 FROM few WHERE few.id = many.id AND y = 2)");
    assertEquals(
        """
        Project(c0=[$1])
          Join(condition=[=($3, $0)], joinType=[semi])
            Filter(condition=[=($2, 1)])
              TableScan(table=[[t, many]])
            Filter(condition=[=($2, 2)])
              TableScan(table=[[t, few]])
        """,
        Trees.text(after(tree)));
  }

  @Test
  void notInIsAnAntiJoin() {
    RelNode tree = Trees.of("SELECT x FROM many WHERE x NOT IN (SELECT x FROM few)");
    assertEquals(
        """
        Project(c0=[$1])
          Join(condition=[=($1, $4)], joinType=[anti])
            TableScan(table=[[t, many]])
            TableScan(table=[[t, few]])
        """,
        Trees.text(after(tree)));
  }

  @Test
  void conditionsWithOtherSubqueriesStayAbove() {
    RelNode tree =
        Trees.of(
            "SELECT x FROM many WHERE x IN (SELECT x FROM few)"
                + " AND z = (SELECT MAX(y) FROM few WHERE few.id = many.id)");
    assertEquals(
        """
        Project(c0=[$1])
          Filter(condition=[=($2, $SCALAR_QUERY({
        Project(c0=[$0])
          Aggregate(group=[{}], agg#0=[MAX($0)])
            Project(c0=[$2])
              Filter(condition=[=($0, $cor0.id)])
                TableScan(table=[[t, few]])
        }))], variablesSet=[[$cor0]])
            Join(condition=[=($1, $4)], joinType=[semi])
              TableScan(table=[[t, many]])
              TableScan(table=[[t, few]])
        """,
        Trees.text(after(tree)));
  }

  @Test
  void notInOverNullsIsNotCovered() {
    RelNode tree = Trees.of("SELECT x FROM many WHERE z NOT IN (SELECT y FROM few)");
    assertThrows(NotCovered.class, () -> after(tree));
  }

  @Test
  void conditionsWithoutThemAreLeftAlone() {
    RelNode plain = Trees.of("SELECT x FROM many WHERE z = 1");
    assertSame(plain, after(plain));
    RelNode inside = Trees.of("SELECT x FROM many WHERE z = 1 OR x IN (SELECT x FROM few)");
    assertSame(inside, after(inside));
  }
}
