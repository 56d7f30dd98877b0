package io.alrai.gms.client;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.alrai.common.id.NodeId;
import io.alrai.common.time.HlcTimestamp;
import io.alrai.gms.api.Catalog;
import io.alrai.gms.api.CatalogCommand;
import io.alrai.gms.api.SequenceRange;
import io.alrai.gms.api.node.GmsPeer;
import io.alrai.gms.catalog.Samples;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.List;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What clients see while leaders go. */
@Tag("nodes")
class LeadersGoTest {
  @TempDir private static Path sharedDir;

  /** Every test leaves its three nodes running. */
  private static ThreeNodes nodes;

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
              .map(client -> ThreeNodes.inBackground(() -> take(client, highest, given, enough)))
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
          ThreeNodes.inBackground(() -> work(one, "lead-a-", enough, acknowledged, reserved));
      CompletableFuture<Void> second =
          ThreeNodes.inBackground(() -> work(two, "lead-b-", enough, acknowledged, reserved));
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
}
