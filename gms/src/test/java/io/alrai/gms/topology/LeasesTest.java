package io.alrai.gms.topology;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.alrai.common.error.AlraiException;
import io.alrai.common.id.NodeId;
import io.alrai.gms.api.node.ComputeNode;
import io.alrai.gms.catalog.Samples;
import java.util.List;
import org.junit.jupiter.api.Test;

class LeasesTest {
  @Test
  void aNodeKeepsItsNumberAndTheNextGetsAFreeOne() {
    List<ComputeNode> nodes = Leases.renew(List.of(), Samples.renew(Samples.CN1, 0, 0));
    nodes = Leases.renew(nodes, Samples.renew(Samples.CN2, 0, 0));
    nodes = Leases.renew(nodes, Samples.renew(Samples.CN1, 5, 700));
    assertEquals(
        List.of(
            new ComputeNode(Samples.CN1, 1, "127.0.0.1:8527", 5, 1700),
            new ComputeNode(Samples.CN2, 2, "127.0.0.1:8527", 0, 1000)),
        nodes);
    nodes = Leases.remove(nodes, Samples.CN1);
    assertSame(nodes, Leases.remove(nodes, Samples.CN1));
    nodes = Leases.renew(nodes, Samples.renew(new NodeId("cn-3"), 0, 0));
    assertEquals(new NodeId("cn-3"), nodes.getFirst().id());
    assertEquals(1, nodes.getFirst().number());
  }

  @Test
  void noLeaseEndsAtANewLeader() {
    List<ComputeNode> nodes = Leases.renew(List.of(), Samples.renew(Samples.CN1, 0, 500));
    assertTrue(Leases.alive(nodes, Samples.CN1, Leases.time(60_000, Leases.MILLIS - 1)));
    assertFalse(Leases.alive(nodes, Samples.CN1, Leases.time(60_000, Leases.MILLIS)));
  }

  @Test
  void aLeaseEndsAtItsMillisecond() {
    List<ComputeNode> nodes = Leases.renew(List.of(), Samples.renew(Samples.CN1, 0, 500));
    assertTrue(Leases.alive(nodes, Samples.CN1, 1499));
    assertFalse(Leases.alive(nodes, Samples.CN1, 1500));
    assertFalse(Leases.alive(nodes, Samples.CN2, 0));
  }

  @Test
  void behindAreTheLivingWithAnOlderVersion() {
    List<ComputeNode> nodes = Leases.renew(List.of(), Samples.renew(Samples.CN1, 4, 0));
    nodes = Leases.renew(nodes, Samples.renew(Samples.CN2, 5, 0));
    assertEquals(List.of(nodes.getFirst()), Leases.behind(nodes, 5, 999));
    assertEquals(List.of(), Leases.behind(nodes, 4, 999));
    assertEquals(List.of(), Leases.behind(nodes, 9, 1000));
  }

  @Test
  void theNumberOfTheLongestGoneIsReusedWhenAllAreTaken() {
    List<ComputeNode> nodes = List.of();
    for (int i = 1; i <= Leases.MAX_NUMBER; i++) {
      nodes = Leases.renew(nodes, Samples.renew(new NodeId("cn-" + i), 0, i == 77 ? 0 : 10));
    }
    List<ComputeNode> full = nodes;
    NodeId late = new NodeId("late");
    assertThrows(AlraiException.class, () -> Leases.renew(full, Samples.renew(late, 0, 999)));
    List<ComputeNode> replaced = Leases.renew(full, Samples.renew(late, 0, 1000));
    assertEquals(Leases.MAX_NUMBER, replaced.size());
    assertEquals(late, replaced.get(76).id());
  }
}
