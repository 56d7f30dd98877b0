package io.alrai.gms.client;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.alrai.common.error.AlraiException;
import io.alrai.common.error.ErrorCode;
import io.alrai.common.id.NodeId;
import io.alrai.common.time.HlcTimestamp;
import io.alrai.gms.api.Catalog;
import io.alrai.gms.api.CatalogCommand;
import io.alrai.gms.api.GmsPeer;
import io.alrai.gms.api.SequenceRange;
import io.alrai.gms.catalog.Samples;
import io.alrai.gms.command.Answer;
import io.alrai.gms.command.LogCommand;
import io.alrai.gms.command.LogEntry;
import io.alrai.gms.server.GmsConfig;
import io.alrai.gms.server.GmsServer;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

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

  /**
   * Two clients take timestamps without a pause while the leader goes, twice: each is above all
   * that anybody had when it was asked for.
   */
  @Test
  void timestampsGrowWhileLeadersGo() {
    AtomicLong highest = new AtomicLong();
    AtomicLong given = new AtomicLong();
    AtomicBoolean enough = new AtomicBoolean();
    try (RaftGmsClient one = nodes.client();
        RaftGmsClient two = nodes.client()) {
      List<CompletableFuture<Void>> takers =
          List.of(one, two).stream()
              .map(client -> inBackground(() -> take(client, highest, given, enough)))
              .toList();
      for (int turn = 0; turn < 2; turn++) {
        awaitMore(given, takers);
        NodeId leader = nodes.awaitLeader();
        nodes.stop(leader);
        awaitMore(given, takers);
        nodes.start(leader);
      }
      enough.set(true);
      takers.forEach(CompletableFuture::join);
    }
    long ahead = (highest.get() >>> HlcTimestamp.LOGICAL_BITS) - System.currentTimeMillis();
    assertTrue(ahead < 10, ahead + " ms ahead of the wall time");
  }

  /** Ratis needs the common pool, which has one thread on a machine of two processors. */
  private static CompletableFuture<Void> inBackground(Runnable work) {
    return CompletableFuture.runAsync(work, Thread::startVirtualThread);
  }

  private static void take(
      RaftGmsClient client, AtomicLong highest, AtomicLong given, AtomicBoolean enough) {
    while (!enough.get()) {
      long before = highest.get();
      long first = client.timestamps(3).value();
      assertTrue(first > before, first + " after " + before);
      highest.accumulateAndGet(first + 2, Math::max);
      given.incrementAndGet();
    }
  }

  private static void awaitMore(AtomicLong given, List<CompletableFuture<Void>> takers) {
    long before = given.get();
    ThreeNodes.await(() -> {
      takers.stream().filter(CompletableFuture::isDone).forEach(CompletableFuture::join);
      return given.get() > before + 20;
    });
  }

  /**
   * Two clients submit and reserve without a pause while the leader goes, comes back, and the next
   * one goes. No call may fail, nor any schema be missing, nor any number come twice.
   */
  @Test
  void nothingIsLostOrDoubledWhenLeadersGo() {
    Queue<String> acknowledged = new ConcurrentLinkedQueue<>();
    Queue<SequenceRange> reserved = new ConcurrentLinkedQueue<>();
    AtomicBoolean enough = new AtomicBoolean();
    try (RaftGmsClient one = nodes.client();
        RaftGmsClient two = nodes.client()) {
      CompletableFuture<Void> first =
          inBackground(() -> work(one, "lead-a-", enough, acknowledged, reserved));
      CompletableFuture<Void> second =
          inBackground(() -> work(two, "lead-b-", enough, acknowledged, reserved));
      for (int turn = 0; turn < 2; turn++) {
        awaitMore(acknowledged);
        NodeId leader = nodes.awaitLeader();
        nodes.stop(leader);
        awaitMore(acknowledged);
        nodes.start(leader);
      }
      awaitMore(acknowledged);
      enough.set(true);
      first.join();
      second.join();

      Catalog catalog = one.submit(new CatalogCommand.PutSetting("end", "1"));
      assertTrue(catalog.schemas().keySet().containsAll(acknowledged));
      assertEquals(
          acknowledged.size(),
          catalog.schemas().keySet().stream().filter(name -> name.startsWith("lead-")).count());
      ThreeNodes.await(() -> two.catalog().equals(catalog));
      for (GmsPeer peer : nodes.peers()) {
        ThreeNodes.await(() -> nodes.server(peer.id()).feed().catalog().equals(catalog));
      }
    }
    Set<Long> numbers = new HashSet<>();
    for (SequenceRange range : reserved) {
      for (long number = range.first(); number <= range.last(); number++) {
        assertTrue(numbers.add(number), "given twice: " + number);
      }
    }
    assertEquals(reserved.size() * 3L, numbers.size());
  }

  private static void work(
      RaftGmsClient client,
      String prefix,
      AtomicBoolean enough,
      Queue<String> acknowledged,
      Queue<SequenceRange> reserved) {
    for (int i = 0; !enough.get(); i++) {
      String name = prefix + i;
      Catalog after = client.submit(Samples.createSchema(name));
      assertTrue(after.schema(name).isPresent());
      acknowledged.add(name);
      reserved.add(client.reserve("shared", 3));
    }
  }

  private static void awaitMore(Queue<String> acknowledged) {
    int now = acknowledged.size();
    ThreeNodes.await(() -> acknowledged.size() >= now + 20);
  }

  @Test
  void aFollowerCatchesUpBySnapshot() {
    try (RaftGmsClient client = nodes.client()) {
      NodeId leader = nodes.awaitLeader();
      NodeId late =
          nodes.peers().stream()
              .map(GmsPeer::id)
              .filter(id -> !id.equals(leader))
              .findFirst()
              .orElseThrow();
      nodes.stop(late);
      // The log is cut at whole segments of 4 MB: only this much makes the old entries go.
      String value = "x".repeat(400_000);
      for (int i = 0; i < 40; i++) {
        client.submit(new CatalogCommand.PutSetting("large", value + i));
      }
      ThreeNodes.await(() -> !nodes.hasFirstSegment(leader));
      nodes.start(late);
      Catalog catalog = client.submit(new CatalogCommand.PutSetting("large", ""));
      ThreeNodes.await(() -> nodes.server(late).feed().catalog().equals(catalog));
      assertFalse(nodes.hasFirstSegment(late));
      assertEquals(1, client.reserve("late", 1).first());
    }
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
          inBackground(() -> one.awaitCatalogEverywhere(submitted.version()));
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
    try (RaftGmsClient client =
        RaftGmsClient.connect("three", List.of(peer), ThreeNodes.SECRET, Duration.ofSeconds(1))) {
      Catalog catalog = client.submit(Samples.ground());
      server.close();
      long before = System.nanoTime();
      AlraiException refusal =
          assertThrows(AlraiException.class, () -> client.submit(Samples.createSchema("x")));
      assertEquals(ErrorCode.ALRAI_NODE_UNAVAILABLE.errno(), refusal.errno());
      assertTrue(Duration.ofNanos(System.nanoTime() - before).toMillis() < 6000);
      assertEquals(catalog, client.catalog());
    }
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
}
