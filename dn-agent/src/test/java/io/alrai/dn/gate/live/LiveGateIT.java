package io.alrai.dn.gate.live;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.alrai.common.error.AlraiException;
import io.alrai.common.id.DnId;
import io.alrai.common.id.NodeId;
import io.alrai.common.id.TransactionId;
import io.alrai.common.metrics.Metric;
import io.alrai.common.time.HlcTimestamp;
import io.alrai.dn.backend.Eventually;
import io.alrai.dn.link.Branch;
import io.alrai.dn.link.CommitParticipant;
import io.alrai.dn.link.ViewOpener.Opening;
import io.alrai.dn.link.XaName;
import io.alrai.dn.xa.RealNode;
import io.netty.channel.EventLoopGroup;
import io.netty.channel.MultiThreadIoEventLoopGroup;
import io.netty.channel.epoll.EpollIoHandler;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Money moves between two real mysqlds, and nobody who reads at a snapshot sees it on its way. */
class LiveGateIT {
  private static final int ACCOUNTS = 20;
  private static final int MONEY = 1_000;
  private static final EventLoopGroup LOOPS =
      new MultiThreadIoEventLoopGroup(2, EpollIoHandler.newFactory());
  private static final Map<DnId, CommitParticipant> PARTICIPANTS = new ConcurrentHashMap<>();
  private static final AtomicLong NUMBERS = new AtomicLong();
  private static final long EPOCH = System.currentTimeMillis();
  private static final List<RealNode> NODES = new ArrayList<>();

  @TempDir private static Path directory;

  private final AtomicInteger refusals = new AtomicInteger();

  @BeforeAll
  static void start() throws Exception {
    for (int i = 1; i <= 2; i++) {
      RealNode node = new RealNode("dn-" + i, i, directory, LOOPS, PARTICIPANTS::get);
      PARTICIPANTS.put(node.dn(), node.participant());
      NODES.add(node);
      node.query("CREATE DATABASE b;CREATE TABLE b.a (id INT PRIMARY KEY, m INT NOT NULL)");
    }
  }

  @AfterAll
  static void stop() throws Exception {
    for (RealNode node : NODES) {
      node.close();
    }
    LOOPS.shutdownGracefully(0, 1, TimeUnit.SECONDS).await(2_000);
  }

  private static void fill() throws Exception {
    for (RealNode node : NODES) {
      StringBuilder rows = new StringBuilder();
      for (int id = 0; id < ACCOUNTS; id++) {
        rows.append(id == 0 ? "(" : ",(").append(id).append(',').append(MONEY).append(')');
      }
      node.query("REPLACE INTO b.a VALUES " + rows);
    }
  }

  /** From one mysqld to the other, by the commit protocol. */
  private static void transfer(RealNode from, RealNode to, int account) throws Exception {
    TransactionId id =
        new TransactionId(new NodeId("cn-1"), EPOCH, NUMBERS.incrementAndGet(), from.dn());
    Branch primary = from.take();
    Branch other = to.take();
    RealNode.run(primary, "START TRANSACTION;UPDATE b.a SET m=m-1 WHERE id=" + account);
    RealNode.run(
        other,
        "XA START "
            + XaName.name(id, to.dn()).text()
            + ";UPDATE b.a SET m=m+1 WHERE id="
            + account);
    CompletableFuture<HlcTimestamp> prepared =
        RealNode.onLoop(other, () -> to.participant().prepare(other, id));
    CompletableFuture<HlcTimestamp> preCommitted =
        RealNode.onLoop(primary, () -> from.participant().preCommit(primary, id));
    HlcTimestamp one = RealNode.get(prepared);
    HlcTimestamp two = RealNode.get(preCommitted);
    HlcTimestamp proposed = one.compareTo(two) > 0 ? one : two;
    HlcTimestamp commitTs =
        RealNode.get(
            RealNode.onLoop(
                primary, () -> from.participant().decide(primary, id, proposed, List.of(to.dn()))));
    RealNode.get(to.participant().commitPrepared(id, commitTs).done());
    from.participant().forget(id);
    release(primary);
    release(other);
  }

  private static void release(Branch branch) {
    branch.eventLoop().execute(branch::release);
  }

  private HlcTimestamp soon() {
    long most = 0;
    for (RealNode node : NODES) {
      most = Math.max(most, node.clock().nowValue());
    }
    return new HlcTimestamp(
        Math.max(most + 1_024, (System.currentTimeMillis() + 1) << HlcTimestamp.LOGICAL_BITS));
  }

  /** What is in both banks at one snapshot; empty when it was refused. */
  private List<Long> totals() throws Exception {
    List<Branch> branches = new ArrayList<>();
    for (RealNode node : NODES) {
      branches.add(node.take());
    }
    HlcTimestamp at = soon();
    List<CompletableFuture<Opening>> openings = new ArrayList<>();
    for (int i = 0; i < NODES.size(); i++) {
      openings.add(open(NODES.get(i), branches.get(i), at));
    }
    List<Long> totals = new ArrayList<>();
    for (int i = 0; i < NODES.size(); i++) {
      Branch branch = branches.get(i);
      if (RealNode.get(openings.get(i)) instanceof Opening.Open) {
        totals.add(
            Long.parseLong(RealNode.run(branch, "SELECT SUM(m) FROM b.a").getFirst().getFirst()));
        RealNode.run(branch, "COMMIT");
      } else {
        refusals.incrementAndGet();
      }
      release(branch);
    }
    return totals.size() == NODES.size() ? totals : List.of();
  }

  @Test
  void nobodySeesMoneyOnItsWay() throws Exception {
    fill();
    long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(8);
    AtomicInteger transfers = new AtomicInteger();
    AtomicInteger reads = new AtomicInteger();
    List<Callable<Void>> work = new ArrayList<>();
    for (int i = 0; i < 4; i++) {
      int writer = i;
      work.add(() -> {
        Random random = new Random(writer);
        while (System.nanoTime() < end) {
          int way = random.nextInt(2);
          // each writer has its own accounts: nobody waits for a lock on two DNs
          transfer(NODES.get(way), NODES.get(1 - way), writer * 5 + random.nextInt(5));
          transfers.incrementAndGet();
        }
        return null;
      });
    }
    for (int i = 0; i < 2; i++) {
      work.add(() -> {
        while (System.nanoTime() < end) {
          List<Long> totals = totals();
          if (!totals.isEmpty()) {
            reads.incrementAndGet();
            assertEquals(
                2L * ACCOUNTS * MONEY, totals.get(0) + totals.get(1), () -> "torn: " + totals);
          }
        }
        return null;
      });
    }
    try (ExecutorService threads = Executors.newFixedThreadPool(work.size())) {
      for (Future<Void> done : threads.invokeAll(work)) {
        done.get();
      }
    }
    System.out.println(transfers + " transfers, " + reads + " reads, " + refusals + " refusals");
    assertTrue(transfers.get() > 50, transfers + " transfers");
    assertTrue(reads.get() > 50, reads + " reads");
  }

  @Test
  void noViewWaitsForACommitThatWasAnswered() throws Exception {
    fill();
    long fewest = Long.MAX_VALUE;
    // the rows of tx_log are deleted now and then, which nobody answers
    for (int i = 0; i < 10; i++) {
      transfer(NODES.get(i % 2), NODES.get(1 - i % 2), 1);
      long before = awaits();
      totals();
      fewest = Math.min(fewest, awaits() - before);
    }
    assertEquals(0, fewest);
  }

  private static long awaits() {
    return NODES.stream().mapToLong(node -> node.count(Metric.GATE_AWAITS)).sum();
  }

  @Test
  void whoWaitsForAMysqldThatStallsIsToComeAgain() throws Exception {
    RealNode stalled = NODES.getFirst();
    Branch branch = stalled.take();
    RealNode.run(branch, "SELECT 1");
    long refused = stalled.count(Metric.GATE_REFUSALS);
    stalled.signal("STOP");
    CompletableFuture<Opening> opening;
    try {
      opening = open(stalled, branch, soon());
      Eventually.await("refusal", () -> stalled.count(Metric.GATE_REFUSALS) > refused);
    } finally {
      stalled.signal("CONT");
    }
    assertInstanceOf(Opening.Refused.class, RealNode.get(opening));
    assertInstanceOf(Opening.Open.class, RealNode.get(open(stalled, branch, soon())));
    RealNode.run(branch, "COMMIT");
    release(branch);
  }

  private static CompletableFuture<Opening> open(RealNode node, Branch branch, HlcTimestamp at) {
    return RealNode.onLoop(
        branch,
        () ->
            node.views()
                .open(
                    branch,
                    at,
                    "START TRANSACTION WITH CONSISTENT SNAPSHOT, READ ONLY",
                    "ROLLBACK",
                    false));
  }

  @Test
  void aDeadCoordinatorStopsNoReader() throws Exception {
    fill();
    RealNode from = NODES.get(0);
    RealNode to = NODES.get(1);
    TransactionId id =
        new TransactionId(new NodeId("cn-1"), EPOCH, NUMBERS.incrementAndGet(), from.dn());
    Branch primary = from.take();
    Branch other = to.take();
    RealNode.run(primary, "START TRANSACTION;UPDATE b.a SET m=m-1 WHERE id=1");
    RealNode.run(
        other, "XA START " + XaName.name(id, to.dn()).text() + ";UPDATE b.a SET m=m+1 WHERE id=1");
    RealNode.get(RealNode.onLoop(other, () -> to.participant().prepare(other, id)));
    RealNode.get(RealNode.onLoop(primary, () -> from.participant().preCommit(primary, id)));
    long asked = System.nanoTime();
    List<Long> totals = List.of();
    while (totals.isEmpty()) {
      totals = totals();
    }
    long millis = TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - asked);
    assertEquals(2L * ACCOUNTS * MONEY, totals.get(0) + totals.get(1));
    assertTrue(millis < 500, millis + " ms");
    primary.eventLoop().execute(primary::close);
    Eventually.await(
        "end of the prepared branch",
        () -> {
          try {
            return !RealNode.get(to.participant().holdsPrepared(id));
          } catch (AlraiException away) {
            return false;
          } catch (Exception e) {
            throw new AssertionError(e);
          }
        });
    release(other);
  }
}
