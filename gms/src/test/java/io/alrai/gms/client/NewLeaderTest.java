package io.alrai.gms.client;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.alrai.common.id.NodeId;
import io.alrai.common.metrics.Metrics;
import io.alrai.gms.api.CatalogCommand;
import io.alrai.gms.api.node.GmsPeer;
import io.alrai.gms.catalog.Samples;
import io.alrai.gms.command.Answer;
import io.alrai.gms.command.LogCommand;
import io.alrai.gms.command.LogEntry;
import io.alrai.gms.command.Question;
import io.alrai.gms.server.GmsServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What a leader that is new, or is none any more, does not know. */
@Tag("nodes")
class NewLeaderTest {
  /** Less than two requests that nobody answers; one of them is given up after 1.5 s. */
  private static final long ONE_TIMEOUT_MILLIS = 2_900;

  @TempDir private Path dir;

  /** While there was no leader nobody could renew a lease: none of them has run out for it. */
  @Test
  void nobodyIsDeadForANewLeader() throws IOException {
    try (ThreeNodes nodes = new ThreeNodes(dir, 5000)) {
      NodeId first = nodes.awaitLeader();
      try (RaftGmsClient client = nodes.client()) {
        client.submit(Samples.ground());
        client.submit(new CatalogCommand.PutJob(Samples.job(1, Samples.CN1, "shop", "a")));
        client.submit(
            new CatalogCommand.RenewComputeNode(Samples.CN1, "127.0.0.1:1", 0, 0, /* millis= */ 1));
      }
      nodes.stop(first);
      GmsServer next = nodes.server(nodes.awaitLeader());
      LogEntry claim =
          new LogEntry("", new LogCommand.Change(new CatalogCommand.ClaimJob(1, Samples.CN2, 0)));
      assertInstanceOf(Answer.Refused.class, next.calls().write(claim));
      Answer.Behind behind =
          assertInstanceOf(
              Answer.Behind.class, next.calls().ask(new Question.WhoIsBehind(1_000_000)));
      assertEquals(List.of(Samples.CN1), behind.nodes());
      ThreeNodes.await(() -> changed(next, claim));
    }
  }

  private static boolean changed(GmsServer server, LogEntry entry) {
    try {
      return server.calls().write(entry) instanceof Answer.Changed;
    } catch (IOException e) {
      return false;
    }
  }

  /** What it knows of leases and sequences is old where others go on without it. */
  @Test
  void aLeaderWithoutFollowersDoesNotSayWhoIsBehind() throws IOException {
    try (ThreeNodes nodes = new ThreeNodes(dir, 5000)) {
      NodeId leader = nodes.awaitLeader();
      GmsServer server = nodes.server(leader);
      assertInstanceOf(Answer.Behind.class, server.calls().ask(new Question.WhoIsBehind(0)));
      // Ratis has a majority confirm each state once
      server.calls().write(new LogEntry("", new LogCommand.RaiseNumbers("s", 1)));
      nodes.peers().stream().map(GmsPeer::id).filter(id -> !id.equals(leader)).forEach(nodes::stop);
      assertThrows(IOException.class, () -> server.calls().ask(new Question.WhoIsBehind(0)));
      assertThrows(IOException.class, () -> server.calls().ask(new Question.HowFar(List.of("s"))));
    }
  }

  /** It takes requests, as its kernel does, and never answers. */
  @Test
  void aNodeThatIsStoppedIsNotAskedForLong() throws IOException {
    try (ServerSocket silent = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
        ThreeNodes nodes = new ThreeNodes(dir, 5000)) {
      nodes.stop(nodes.peers().getFirst().id());
      nodes.awaitLeader();
      List<GmsPeer> peers = new ArrayList<>(nodes.peers());
      peers.set(0, new GmsPeer(peers.getFirst().id(), "127.0.0.1:" + silent.getLocalPort()));
      long shortest = Long.MAX_VALUE;
      for (int i = 0; i < 3 && shortest >= ONE_TIMEOUT_MILLIS; i++) {
        long begin = System.nanoTime();
        RaftGmsClient.connect(
                "three", peers, ThreeNodes.SECRET, Duration.ofSeconds(30), new Metrics())
            .close();
        shortest = Math.min(shortest, Duration.ofNanos(System.nanoTime() - begin).toMillis());
      }
      assertTrue(shortest < ONE_TIMEOUT_MILLIS, "it took " + shortest + " ms");
    }
  }
}
