package io.alrai.gms.client;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.alrai.common.error.AlraiException;
import io.alrai.common.error.ErrorCode;
import io.alrai.common.id.NodeId;
import io.alrai.common.metrics.Metrics;
import io.alrai.gms.api.Catalog;
import io.alrai.gms.api.node.GmsPeer;
import io.alrai.gms.catalog.Samples;
import io.alrai.gms.command.Answer;
import io.alrai.gms.command.LogCommand;
import io.alrai.gms.command.LogEntry;
import io.alrai.gms.server.GmsConfig;
import io.alrai.gms.server.GmsServer;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

@Tag("nodes")
class ThreeNodesTest {
  @TempDir private static Path sharedDir;

  /** Every test leaves its three nodes running. */
  private static ThreeNodes nodes;

  @TempDir private Path dir;

  @BeforeAll
  static void startShared() {
    nodes = new ThreeNodes(sharedDir, 20);
  }

  @AfterAll
  static void closeShared() {
    nodes.close();
  }

  @Test
  void oneClientsChangeReachesTheOther() {
    try (RaftGmsClient one = nodes.client();
        RaftGmsClient two = nodes.client()) {
      CompletableFuture<Catalog> heard = new CompletableFuture<>();
      two.onChange(heard::complete);
      Catalog submitted = one.submit(Samples.ground());
      assertEquals(submitted, heard.join());
      AlraiException refusal =
          assertThrows(AlraiException.class, () -> two.submit(Samples.createSchema("shop")));
      assertEquals(ErrorCode.ER_DB_CREATE_EXISTS.errno(), refusal.errno());

      one.submit(Samples.renew(Samples.CN1, 0, 0));
      CompletableFuture<Void> everywhere =
          ThreeNodes.inBackground(() -> one.awaitCatalogEverywhere(submitted.version()));
      two.submit(Samples.renew(Samples.CN1, submitted.version(), 0));
      everywhere.join();
    }
  }

  /** A request that is sent again after its answer was lost, to a leader that came later. */
  @Test
  void aRequestSentTwiceIsAppliedOnce() throws IOException {
    LogEntry entry = new LogEntry("client:1", new LogCommand.Change(Samples.createSchema("once")));
    NodeId leader = nodes.awaitLeader();
    Answer answer = nodes.server(leader).calls().write(entry);
    assertTrue(answer instanceof Answer.Changed, answer.toString());
    try (RaftGmsClient client = nodes.client()) {
      for (int i = 0; i < 25; i++) {
        client.reserve("past a snapshot", 1);
      }
    }
    nodes.stop(leader);
    try {
      assertEquals(answer, nodes.server(nodes.awaitLeader()).calls().write(entry));
    } finally {
      nodes.start(leader);
    }
  }

  @Test
  void withoutALeaderCallsEndInTime() {
    NodeId node = new NodeId("gms-1");
    GmsPeer peer = new GmsPeer(node, "127.0.0.1:" + ThreeNodes.freePort());
    GmsConfig config =
        new GmsConfig("three", node, List.of(peer), dir, 5000, Optional.of(ThreeNodes.SECRET));
    GmsServer server = GmsServer.start(config);
    Catalog catalog;
    try (RaftGmsClient patient = client(peer, 20)) {
      catalog = patient.submit(Samples.ground());
    }
    try (RaftGmsClient client = client(peer, 2)) {
      server.close();
      long before = System.nanoTime();
      AlraiException refusal =
          assertThrows(AlraiException.class, () -> client.submit(Samples.createSchema("x")));
      assertEquals(ErrorCode.ALRAI_NODE_UNAVAILABLE.errno(), refusal.errno());
      assertTrue(Duration.ofNanos(System.nanoTime() - before).toMillis() < 6000);
      assertEquals(catalog, client.catalog());
    }
  }

  private static RaftGmsClient client(GmsPeer peer, int patienceSeconds) {
    return RaftGmsClient.connect(
        "three",
        List.of(peer),
        ThreeNodes.SECRET,
        Duration.ofSeconds(patienceSeconds),
        new Metrics());
  }

  @Test
  void aTakenPortIsSaidClearly() {
    NodeId node = new NodeId("gms-1");
    List<GmsPeer> peers = List.of(new GmsPeer(node, "127.0.0.1:" + ThreeNodes.freePort()));
    String address = peers.getFirst().address();
    Path other = dir.resolve("other");
    GmsServer server =
        GmsServer.start(GmsConfig.of(node, peers, dir.resolve("one"), ThreeNodes.SECRET));
    try {
      AlraiException refusal =
          assertThrows(
              AlraiException.class,
              () -> GmsServer.start(GmsConfig.of(node, peers, other, ThreeNodes.SECRET)));
      String sentence = refusal.sentence();
      assertTrue(sentence.startsWith("the GMS cannot listen on " + address), sentence);
      assertTrue(sentence.endsWith("Address already in use"), sentence);
    } finally {
      server.close();
    }
    GmsServer.start(GmsConfig.of(node, peers, other, ThreeNodes.SECRET))
        .close(); // nothing of it was left behind
  }

  @Test
  void aNodeWhoseLogHasClosedItselfSaysSo() throws Exception {
    try (ThreeNodes own = new ThreeNodes(dir, 20)) {
      own.awaitLeader();
      NodeId node = own.peers().getFirst().id();
      own.closeLog(node);
      AlraiException failure = own.server(node).failure().get(30, TimeUnit.SECONDS);
      assertEquals(ErrorCode.ALRAI_NODE_UNAVAILABLE.errno(), failure.errno());
      assertTrue(
          failure.sentence().contains("the log of gms-1 has closed itself"), failure.sentence());
      own.stop(node);
      own.start(node);
      CompletableFuture<AlraiException> again = own.server(node).failure();
      ThreeNodes.await(own.server(node)::knowsLeader);
      TimeUnit.MILLISECONDS.sleep(1_500); // longer than from one look to the next
      assertFalse(again.isDone());
      own.stop(node);
      assertFalse(again.isDone());
    }
  }
}
