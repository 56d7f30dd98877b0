package io.alrai.optimizer.rule;

import static org.junit.jupiter.api.Assertions.assertEquals;

import org.apache.calcite.rel.RelNode;
import org.junit.jupiter.api.Test;

class PushDownTest {
  @Test
  void conditionsGoToTheirTables() {
    RelNode tree = Trees.of("SELECT few.y FROM few JOIN many ON few.id = many.id WHERE few.x = 1");
    assertEquals(
        """
        Project(c0=[$2])
          Join(condition=[=($0, $3)], joinType=[inner])
            Filter(condition=[=($1, 1)])
              TableScan(table=[[t, few]])
            TableScan(table=[[t, many]])
        """,
        Trees.text(PushDown.conditions(tree)));
  }

  @Test
  void conditionsOnAggregatesStayAboveThem() {
    RelNode tree = Trees.of("SELECT x, MAX(z) FROM many GROUP BY x HAVING MAX(z) > 1");
    assertEquals(
        """
        Filter(condition=[>($1, 1)])
          Aggregate(group=[{0}], agg#0=[MAX($1)])
            Project(c0=[$1], c1=[$2])
              TableScan(table=[[t, many]])
        """,
        Trees.text(PushDown.conditions(tree)));
  }

  @Test
  void columnsThatNobodyReadsAreDropped() {
    RelNode tree = Trees.of("SELECT MAX(z) FROM many");
    assertEquals(
        """
        Aggregate(group=[{}], agg#0=[MAX($0)])
          Project(c0=[$2])
            TableScan(table=[[t, many]])
        """,
        Trees.text(PushDown.columns(tree)));
  }

  @Test
  void columnsThatAreReadStay() {
    RelNode tree = Trees.of("SELECT id, x, z FROM many");
    assertEquals(
        """
        TableScan(table=[[t, many]])
        """,
        Trees.text(PushDown.columns(tree)));
  }
}
