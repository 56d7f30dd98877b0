package io.alrai.gms.client;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.alrai.common.error.AlraiException;
import io.alrai.common.id.NodeId;
import io.alrai.common.metrics.Metrics;
import io.alrai.gms.api.node.GmsMembers;
import io.alrai.gms.api.node.GmsPeer;
import io.alrai.gms.catalog.Samples;
import io.alrai.gms.force.GmsForce;
import io.alrai.gms.member.KnownGms;
import io.alrai.raft.GroupIds;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** One node becomes the group, and the others come back. */
@Tag("nodes")
class ForcedNodeTest {
  private static final NodeId ONE = new NodeId("gms-1");
  private static final NodeId TWO = new NodeId("gms-2");
  private static final NodeId THREE = new NodeId("gms-3");
  private static final List<String> LOST = List.of("gms-2", "gms-3");

  private static final long GENERATION = GmsMembers.nextGeneration(0, new Random(7));

  @TempDir private Path dir;

  /** What a machine that dies at a moment leaves. */
  private static final class Dies extends RuntimeException {
    private static final long serialVersionUID = 1;
  }

  @Test
  void itIsBelievedAndTheOthersAreNot() throws IOException {
    try (ThreeNodes nodes = new ThreeNodes(dir, 20)) {
      KnownGms known =
          new KnownGms(nodes.peers(), Optional.of(dir.resolve("gms-of").resolve("cn-1")));
      try (RaftGmsClient client = client(known, 60)) {
        client.submit(Samples.ground());
        refused(() -> force(nodes).look(), "is used by another process");
        nodes.stop(ONE);
        long lost = client.submit(Samples.createSchema("lost")).version();
        refused(() -> force(nodes).look(), "[gms-2, gms-3] answers");
        nodes.stop(TWO);
        refused(() -> force(nodes).look(), "[gms-3] answers");
        nodes.stop(THREE);

        GmsForce.Outlook outlook = force(nodes).look();
        refused(() -> force(nodes).force(List.of("gms-2")), "nothing has been changed");
        for (GmsForce.Step moment : GmsForce.Step.values()) {
          diesAfter(nodes, moment);
          nodes.start(ONE); // of either generation
          assertEquals(
              moment == GmsForce.Step.RENAMED, Files.exists(dir.resolve("gms-1/generation-0")));
          if (moment == GmsForce.Step.RENAMED) {
            break;
          }
          nodes.stop(ONE);
          assertEquals(outlook.index(), force(nodes).look().index());
        }
        ThreeNodes.await(() -> client.catalog().version() > lost);
        assertEquals(GENERATION << 32, client.catalog().version());
        assertTrue(client.catalog().schema("shop").isPresent());
        assertFalse(client.catalog().schema("lost").isPresent());
        client.submit(Samples.createSchema("found"));

        // the others come back, with all ports open: they would be a majority
        nodes.start(TWO);
        nodes.start(THREE);
        CompletableFuture<String> two = nodes.server(TWO).dropped();
        CompletableFuture<String> three = nodes.server(THREE).dropped();
        try (RaftGmsClient fresh = client(new KnownGms(nodes.peers(), Optional.empty()), 30)) {
          assertTrue(fresh.catalog().schema("found").isPresent());
        }
        assertTrue(two.join().startsWith("gms-1 was made the group of the GMS by force"));
        three.join();
        assertTrue(client.submit(Samples.createSchema("on")).schema("found").isPresent());
        nodes.stop(TWO);
        refused(() -> nodes.start(TWO), "was dropped");

        GmsPeer joiner = new GmsPeer(new NodeId("gms-4"), "127.0.0.1:" + ThreeNodes.freePort());
        nodes.startJoiner(joiner);
        client.nodes().add(joiner);
        client.submit(Samples.createSchema("with two"));
        assertEquals(List.of(nodes.peers().getFirst(), joiner), client.nodes().members().peers());
      }
      assertEquals(GENERATION, known.latest().generation());
      assertTrue(known.latest().term() > GroupIds.firstTerm(GENERATION));
    }
  }

  private static GmsForce force(ThreeNodes nodes) {
    return new GmsForce(nodes.config(ONE), new Random(7), _ -> {});
  }

  private static void diesAfter(ThreeNodes nodes, GmsForce.Step moment) {
    GmsForce force =
        new GmsForce(
            nodes.config(ONE),
            new Random(7),
            step -> {
              if (step == moment) {
                throw new Dies();
              }
            });
    assertThrows(Dies.class, () -> force.force(LOST));
  }

  private static RaftGmsClient client(KnownGms known, int patienceSeconds) {
    return RaftGmsClient.connect(
        "three", known, ThreeNodes.SECRET, Duration.ofSeconds(patienceSeconds), new Metrics());
  }

  private interface Attempt {
    void run() throws IOException;
  }

  private static void refused(Attempt attempt, String why) {
    AlraiException refusal = assertThrows(AlraiException.class, attempt::run);
    assertTrue(refusal.sentence().contains(why), refusal::sentence);
  }
}
