package io.alrai.cn.columnar;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.alrai.common.id.NodeId;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class PlacementTest {
  private static final int GROUPS = 50;
  private static final int PARTITIONS = 16;

  private static List<NodeId> nodes(int count) {
    List<NodeId> nodes = new ArrayList<>();
    for (int i = 1; i <= count; i++) {
      nodes.add(new NodeId("columnar-" + i));
    }
    return nodes;
  }

  private static NodeId holder(List<NodeId> nodes, long group, int partition) {
    return Placement.holder(nodes, group, partition).orElseThrow();
  }

  @Test
  void theOrderOfTheNodesPlaysNoPart() {
    List<NodeId> nodes = nodes(5);
    for (int i = 0; i < PARTITIONS; i++) {
      assertEquals(holder(nodes, 7, i), holder(nodes.reversed(), 7, i));
    }
    assertEquals(Optional.empty(), Placement.holder(List.of(), 7, 0));
  }

  /** Processes of another version must find the same. */
  @Test
  void placesStayWhatTheyAre() {
    StringBuilder places = new StringBuilder();
    for (int i = 0; i < PARTITIONS; i++) {
      places.append(holder(nodes(3), 7, i).name().charAt("columnar-".length()));
    }
    assertEquals("3123333232333112", places.toString());
  }

  @Test
  void everyNodeHasItsPart() {
    Map<NodeId, Integer> counts = new HashMap<>();
    for (long group = 0; group < GROUPS; group++) {
      for (int i = 0; i < PARTITIONS; i++) {
        counts.merge(holder(nodes(4), group, i), 1, Integer::sum);
      }
    }
    int even = GROUPS * PARTITIONS / 4;
    assertEquals(4, counts.size());
    assertTrue(
        counts.values().stream().allMatch(count -> Math.abs(count - even) < even / 4),
        counts.toString());
  }

  @Test
  void aNodeThatGoesMovesItsOwnOnly() {
    List<NodeId> less = nodes(4).subList(0, 3);
    for (long group = 0; group < GROUPS; group++) {
      for (int i = 0; i < PARTITIONS; i++) {
        NodeId before = holder(nodes(4), group, i);
        if (less.contains(before)) {
          assertEquals(before, holder(less, group, i));
        }
      }
    }
  }
}
