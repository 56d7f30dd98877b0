package io.alrai.gms.client;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.alrai.common.error.AlraiException;
import io.alrai.common.id.NodeId;
import io.alrai.common.metrics.Metrics;
import io.alrai.gms.api.node.GmsNodes;
import io.alrai.gms.api.node.GmsPeer;
import io.alrai.gms.catalog.Samples;
import io.alrai.gms.member.KnownGms;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Nodes that are added and dropped while others use the GMS. */
@Tag("nodes")
class ChangedNodesTest {
  @TempDir private Path dir;

  @Test
  void theLeaderIsReplaced() {
    try (ThreeNodes nodes = new ThreeNodes(dir, 20)) {
      GmsPeer joiner = new GmsPeer(new NodeId("gms-4"), "127.0.0.1:" + ThreeNodes.freePort());
      Path file = dir.resolve("gms-of").resolve("cn-1");
      KnownGms known = new KnownGms(nodes.peers(), Optional.of(file));
      try (RaftGmsClient client =
          RaftGmsClient.connect(
              "three", known, ThreeNodes.SECRET, Duration.ofSeconds(30), new Metrics())) {
        client.submit(Samples.ground());
        GmsNodes changes = client.nodes();
        GmsPeer first = nodes.peers().getFirst();
        refused(() -> changes.add(new GmsPeer(first.id(), "127.0.0.1:1")), "give it another name");
        refused(
            () -> changes.add(new GmsPeer(new NodeId("x"), first.address())),
            "give it another name and address");
        nodes.startJoiner(joiner);
        changes.add(joiner);
        changes.add(joiner); // is done
        NodeId leader = nodes.awaitLeader();
        CompletableFuture<String> dropped = nodes.server(leader).dropped();
        changes.drop(leader.name());
        changes.drop(leader.name());
        assertEquals(3, changes.members().peers().size());
        client.submit(Samples.createSchema("after"));
        dropped.join();
        nodes.stop(leader);
        refused(() -> nodes.start(leader), "was dropped: the other nodes of the GMS go on without");

        // two of the first three are left: with one of them the joiner is a majority
        NodeId other = nodes.other(leader);
        nodes.stop(other);
        String leads = nodes.awaitLeader().name();
        String follows =
            changes.members().peers().stream()
                .map(peer -> peer.id().name())
                .filter(name -> !name.equals(leads) && !name.equals(other.name()))
                .findFirst()
                .orElseThrow();
        // at once, while its leader has just heard of the one that is gone
        refused(() -> changes.drop(follows), "which is no majority; start the others");
        client.submit(Samples.createSchema("with the joiner"));
      }
      KnownGms read = new KnownGms(List.of(nodes.peers().getFirst()), Optional.of(file));
      assertTrue(read.latest().peers().contains(joiner), () -> read.latest().toString());
      try (RaftGmsClient again =
          RaftGmsClient.connect(
              "three", read, ThreeNodes.SECRET, Duration.ofSeconds(30), new Metrics())) {
        assertTrue(again.catalog().schema("with the joiner").isPresent());
      }
    }
  }

  @Test
  void aNodeThatWasKilledBeforeItHeardThatItWasDroppedHearsItAfterItsNextStart() throws Exception {
    try (ThreeNodes nodes = new ThreeNodes(dir, 20);
        RaftGmsClient client = nodes.client()) {
      client.submit(Samples.ground());
      NodeId founder = nodes.other(nodes.awaitLeader());
      hearsItAfterItsNextStart(nodes, client, founder, () -> nodes.start(founder));
      // one that was added says at each of its starts that it joins
      GmsPeer joiner = new GmsPeer(new NodeId("gms-4"), "127.0.0.1:" + ThreeNodes.freePort());
      nodes.startJoiner(joiner);
      client.nodes().add(joiner);
      ThreeNodes.await(() -> nodes.knowsMembers(joiner.id()));
      hearsItAfterItsNextStart(nodes, client, joiner.id(), () -> nodes.startJoiner(joiner));
    }
  }

  private static void hearsItAfterItsNextStart(
      ThreeNodes nodes, RaftGmsClient client, NodeId node, Runnable start) throws Exception {
    CompletableFuture<String> dropped = nodes.server(node).dropped();
    client.nodes().drop(node.name());
    dropped.get(60, TimeUnit.SECONDS);
    nodes.stop(node);
    nodes.forgetDropped(node);
    start.run();
    assertEquals(
        "the other nodes of the GMS go on without it",
        nodes.server(node).dropped().get(60, TimeUnit.SECONDS));
    nodes.stop(node);
    refused(start, "was dropped: the other nodes of the GMS go on without");
  }

  private static void refused(Runnable change, String why) {
    AlraiException refusal = assertThrows(AlraiException.class, change::run);
    assertTrue(refusal.sentence().contains(why), refusal::sentence);
  }
}
