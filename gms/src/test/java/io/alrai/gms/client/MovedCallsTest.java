package io.alrai.gms.client;

import static org.junit.jupiter.api.Assertions.assertTrue;

import io.alrai.common.id.NodeId;
import io.alrai.common.metrics.Metrics;
import io.alrai.gms.api.GmsMembers;
import io.alrai.gms.api.GmsPeer;
import io.alrai.gms.command.Answer;
import io.alrai.gms.command.Question;
import io.alrai.gms.server.GmsConfig;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Calls that are under way while the nodes of the GMS become others. */
class MovedCallsTest {
  @TempDir private Path dir;

  @Test
  void theyAreAnsweredOrFailAsCallsDo() {
    NodeId node = new NodeId("gms-1");
    int port = ThreeNodes.freePort();
    List<GmsMembers> places =
        Stream.of("127.0.0.1:", "localhost:")
            .map(host -> GmsMembers.configured(List.of(new GmsPeer(node, host + port))))
            .toList();
    GmsConfig config = GmsConfig.of(node, places.getFirst().peers(), dir, ThreeNodes.SECRET);
    AtomicBoolean enough = new AtomicBoolean();
    AtomicInteger answered = new AtomicInteger();
    try (EmbeddedGms _ = EmbeddedGms.start(config, new Metrics());
        RemoteCalls calls =
            new RemoteCalls(
                config.cluster(), places.getFirst(), Optional.empty(), ThreeNodes.SECRET)) {
      List<CompletableFuture<Void>> asking =
          Stream.generate(() -> ThreeNodes.inBackground(() -> ask(calls, enough, answered)))
              .limit(4)
              .toList();
      for (int turn = 1; turn <= 10; turn++) {
        int before = answered.get();
        calls.move(places.get(turn % 2));
        ThreeNodes.await(() ->
            answered.get() > before
                || asking.stream().anyMatch(CompletableFuture::isCompletedExceptionally));
      }
      enough.set(true);
      asking.forEach(CompletableFuture::join);
      assertTrue(answered.get() >= 10);
    }
  }

  private static void ask(RemoteCalls calls, AtomicBoolean enough, AtomicInteger answered) {
    while (!enough.get()) {
      try {
        calls.ask(new Question.Watch(0, 0)).as(Answer.OfWatch.class);
        answered.incrementAndGet();
      } catch (IOException e) {
        Thread.onSpinWait(); // it is made again
      }
    }
  }
}
