package io.alrai.gms.client;

import io.alrai.common.id.NodeId;
import io.alrai.common.metrics.Metrics;
import io.alrai.common.net.ListenPorts;
import io.alrai.common.secret.ClusterSecret;
import io.alrai.gms.api.node.GmsPeer;
import io.alrai.gms.member.KnownGms;
import io.alrai.gms.server.GmsConfig;
import io.alrai.gms.server.GmsServer;
import io.alrai.gms.server.GroupDirectory;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.reflect.Field;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.function.BooleanSupplier;
import java.util.stream.Stream;
import org.apache.ratis.server.RaftServer;

/** Three GMS nodes in one process, each of which a test may stop and start. */
final class ThreeNodes implements AutoCloseable {
  static final ClusterSecret SECRET = new ClusterSecret(ClusterSecret.fresh());

  private final List<GmsPeer> peers = new ArrayList<>();
  private final Map<NodeId, GmsServer> running = new HashMap<>();
  private final Path dir;
  private final long snapshotEvery;

  ThreeNodes(Path dir, long snapshotEvery) {
    this.dir = dir;
    this.snapshotEvery = snapshotEvery;
    for (int i = 1; i <= 3; i++) {
      peers.add(new GmsPeer(new NodeId("gms-" + i), "127.0.0.1:" + freePort()));
    }
    peers.forEach(peer -> start(peer.id()));
  }

  static int freePort() {
    try {
      return ListenPorts.free();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  List<GmsPeer> peers() {
    return peers;
  }

  /** What one of them is started with. */
  GmsConfig config(NodeId node) {
    return new GmsConfig(
        "three", node, peers, dir.resolve(node.name()), snapshotEvery, Optional.of(SECRET));
  }

  void start(NodeId node) {
    running.put(node, GmsServer.start(config(node)));
  }

  /** Starts one that waits to be added. */
  void startJoiner(GmsPeer joiner) {
    List<GmsPeer> all = new ArrayList<>(peers);
    all.add(joiner);
    running.put(
        joiner.id(),
        GmsServer.start(
            new GmsConfig(
                "three",
                joiner.id(),
                all,
                dir.resolve(joiner.id().name()),
                snapshotEvery,
                Optional.of(SECRET),
                true)));
  }

  void stop(NodeId node) {
    Objects.requireNonNull(running.remove(node)).close();
  }

  /** As if it had been killed before it wrote that down. */
  void forgetDropped(NodeId node) throws IOException {
    Files.delete(dir.resolve(node.name()).resolve("dropped"));
  }

  /** Whether it keeps that it is one of them. */
  boolean knowsMembers(NodeId node) {
    return KnownGms.read(new GroupDirectory("three", dir.resolve(node.name())).members())
        .filter(known -> known.peers().stream().anyMatch(peer -> peer.id().equals(node)))
        .isPresent();
  }

  /** As Ratis does where it cannot go on with a log. */
  void closeLog(NodeId node) throws Exception {
    Field field = GmsServer.class.getDeclaredField("raft");
    field.setAccessible(true);
    RaftServer raft = (RaftServer) field.get(server(node));
    raft.getDivision(raft.getGroupIds().iterator().next()).close();
  }

  GmsServer server(NodeId node) {
    return Objects.requireNonNull(running.get(node));
  }

  NodeId awaitLeader() {
    await(() -> leader().isPresent());
    return leader().orElseThrow();
  }

  /** One of the first three that is not this one. */
  NodeId other(NodeId leader) {
    return peers.stream()
        .map(GmsPeer::id)
        .filter(id -> !id.equals(leader))
        .findFirst()
        .orElseThrow();
  }

  private Optional<NodeId> leader() {
    return running.entrySet().stream()
        .filter(entry -> entry.getValue().leads())
        .map(Map.Entry::getKey)
        .findFirst();
  }

  /** Whether the node's log still begins with the first entry. */
  boolean hasFirstSegment(NodeId node) {
    try (Stream<Path> files = Files.walk(dir.resolve(node.name()))) {
      return files
          .map(file -> file.getFileName().toString())
          .anyMatch(name -> name.startsWith("log_0-") || name.equals("log_inprogress_0"));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  RaftGmsClient client() {
    return RaftGmsClient.connect("three", peers, SECRET, Duration.ofSeconds(30), new Metrics());
  }

  /** Waits for what other threads bring about, up to 60 s: a disk may stall. */
  static void await(BooleanSupplier condition) {
    long deadline = System.nanoTime() + Duration.ofSeconds(60).toNanos();
    while (!condition.getAsBoolean()) {
      if (System.nanoTime() > deadline) {
        throw new AssertionError("did not come about within 60 s");
      }
      try {
        Thread.sleep(10);
      } catch (InterruptedException e) {
        throw new AssertionError(e);
      }
    }
  }

  @Override
  public void close() {
    CompletableFuture.allOf(
            running.values().stream()
                .map(
                    server -> CompletableFuture.runAsync(server::close, Thread::startVirtualThread))
                .toArray(CompletableFuture[]::new))
        .join();
  }

  /** Ratis needs the common pool, which has one thread on a machine of two processors. */
  static CompletableFuture<Void> inBackground(Runnable work) {
    return CompletableFuture.runAsync(work, Thread::startVirtualThread);
  }
}
