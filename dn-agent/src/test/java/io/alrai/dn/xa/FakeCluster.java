package io.alrai.dn.xa;

import io.alrai.common.id.DnId;
import io.alrai.common.id.NodeId;
import io.alrai.common.id.TransactionId;
import io.alrai.common.metrics.Metrics;
import io.alrai.common.time.HybridLogicalClock;
import io.alrai.dn.clock.NodeClock;
import io.alrai.dn.gate.live.GateCounts;
import io.alrai.dn.gate.live.LiveGate;
import io.alrai.dn.gate.live.LiveGate.GateContext;
import io.alrai.dn.gate.live.OwnLog;
import io.alrai.dn.link.CommitParticipant;
import io.netty.channel.embedded.EmbeddedChannel;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/** DNs whose mysqlds are fakes, on one thread and one time that the test turns. */
final class FakeCluster {
  private static final long START_MILLIS = 1_700_000_000_000L;

  /** One DN. */
  record Node(FakeMysqld mysqld, LiveGate gate, XaParticipant participant, Resolver resolver) {}

  final Map<DnId, Node> nodes = new LinkedHashMap<>();
  final XaTimes times = XaTimes.defaults();

  /** Whether coordinators give signs of life. */
  boolean heard;

  private final EmbeddedChannel loop = new EmbeddedChannel();
  private long passedMillis;
  private long lastNumber;

  FakeCluster(String... names) {
    this(true, names);
  }

  /** {@code keepsPrepared} says whether what is prepared is its session's to end. */
  FakeCluster(boolean keepsPrepared, String... names) {
    loop.freezeTime();
    for (String name : names) {
      FakeMysqld mysqld = new FakeMysqld(name, loop.eventLoop());
      mysqld.keepsPrepared = keepsPrepared;
      NodeClock clock = NodeClock.inMemory(new HybridLogicalClock(this::wallMillis, 500));
      LiveGate gate =
          new LiveGate(
              mysqld.dn,
              loop.eventLoop(),
              new GateContext(
                  clock,
                  connection -> 0,
                  this::ask,
                  mysqld,
                  () -> {
                    throw new AssertionError("a broken gate");
                  },
                  GateCounts.of(new Metrics(), mysqld.dn),
                  new OwnLog()));
      XaParticipant participant =
          new XaParticipant(
              mysqld,
              List.of(loop.eventLoop()),
              clock,
              gate,
              times,
              (coordinator, within) -> heard,
              new MysqldDecisionLog(
                  (from, bound) -> {
                    throw new AssertionError("the stream has told all");
                  },
                  new SettledMark(mark(name), Runnable::run)),
              this::nanos);
      participant.start();
      mysqld.streamTo(gate);
      nodes.put(
          mysqld.dn,
          new Node(
              mysqld, gate, participant, new Resolver(participant, this::ask, times, this::nanos)));
    }
  }

  /** A file in a directory of its own; both go with this JVM, the file first. */
  private static Path mark(String name) {
    try {
      Path directory = Files.createTempDirectory("fake-cluster");
      directory.toFile().deleteOnExit();
      Path file = directory.resolve(name);
      file.toFile().deleteOnExit();
      return file;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private CommitParticipant ask(DnId dn) {
    return node(dn.name()).participant;
  }

  Node node(String name) {
    Node node = nodes.get(new DnId(name));
    if (node == null) {
      throw new IllegalArgumentException(name);
    }
    return node;
  }

  long wallMillis() {
    return START_MILLIS + passedMillis;
  }

  long nanos() {
    return passedMillis * 1_000_000;
  }

  /** Lets time pass with whatever is scheduled in it, but without the resolvers. */
  void pass(long millis) {
    for (long left = millis; left > 0; left -= 50) {
      passedMillis += Math.min(left, 50);
      loop.advanceTimeBy(Math.min(left, 50), TimeUnit.MILLISECONDS);
      loop.runPendingTasks();
      loop.runScheduledPendingTasks();
    }
  }

  /** Lets time pass with the resolvers at work. */
  void passWithRecovery(long millis) {
    for (long left = millis; left > 0; left -= 500) {
      pass(Math.min(left, 500));
      for (Node node : nodes.values()) {
        // a failed look is repeated at the next tick, as the resolver's thread does
        node.resolver.tick(nanos()).exceptionally(error -> null);
      }
    }
  }

  TransactionId newId(String primary) {
    return new TransactionId(new NodeId("cn-1"), START_MILLIS, ++lastNumber, new DnId(primary));
  }

  /** The DNs on which a marker is committed. */
  List<String> committedOn(String marker) {
    List<String> names = new ArrayList<>();
    nodes.forEach((dn, node) -> {
      if (node.mysqld.committed.contains(marker)) {
        names.add(dn.name());
      }
    });
    return names;
  }

  /** The DNs that hold a prepared branch. */
  List<String> preparedOn() {
    List<String> names = new ArrayList<>();
    nodes.forEach((dn, node) -> {
      if (!node.mysqld.prepared.isEmpty()) {
        names.add(dn.name());
      }
    });
    return names;
  }
}
