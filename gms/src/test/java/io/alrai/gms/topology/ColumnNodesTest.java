package io.alrai.gms.topology;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertSame;

import io.alrai.common.id.NodeId;
import io.alrai.gms.api.CatalogCommand;
import io.alrai.gms.api.node.ColumnNode;
import java.util.List;
import org.junit.jupiter.api.Test;

class ColumnNodesTest {
  private static final NodeId ONE = new NodeId("columnar-1");
  private static final NodeId TWO = new NodeId("columnar-2");

  private static List<ColumnNode> renew(List<ColumnNode> nodes, NodeId id, String at, long now) {
    return ColumnNodes.renew(nodes, new CatalogCommand.RenewColumnNode(id, at, now, 1000));
  }

  @Test
  void aNodeIsThereOnceWithItsNewestAddress() {
    List<ColumnNode> nodes = renew(renew(List.of(), TWO, "h:2", 0), ONE, "h:1", 10);
    nodes = renew(nodes, TWO, "h:3", 700);
    assertEquals(
        List.of(new ColumnNode(ONE, "h:1", 1010), new ColumnNode(TWO, "h:3", 1700)), nodes);
    assertEquals(List.of(nodes.getLast()), ColumnNodes.remove(nodes, ONE));
    assertSame(nodes, ColumnNodes.remove(nodes, new NodeId("columnar-3")));
  }

  @Test
  void aLeaseEndsAtItsMillisecond() {
    List<ColumnNode> nodes = renew(List.of(), ONE, "h:1", 500);
    assertEquals(nodes, ColumnNodes.alive(nodes, 1499));
    assertEquals(List.of(), ColumnNodes.alive(nodes, 1500));
  }
}
