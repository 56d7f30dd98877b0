package io.alrai.dn.rpc;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.alrai.common.error.AlraiException;
import io.alrai.common.error.ErrorCode;
import io.alrai.common.id.DnId;
import io.alrai.common.id.NodeId;
import io.alrai.common.id.TransactionId;
import io.alrai.common.secret.ClusterSecret;
import io.alrai.common.sql.Sql;
import io.alrai.common.time.HlcTimestamp;
import io.alrai.common.time.HybridLogicalClock;
import io.alrai.dn.backend.Answer;
import io.alrai.dn.backend.Eventually;
import io.alrai.dn.backend.PoolLimits;
import io.alrai.dn.clock.NodeClock;
import io.alrai.dn.clock.WallTime;
import io.alrai.dn.group.Reservation;
import io.alrai.dn.link.Branch;
import io.alrai.dn.link.CommitFate;
import io.alrai.dn.link.CommitParticipant.Outcome;
import io.alrai.dn.link.KeptReplies;
import io.alrai.dn.link.ServerCounts;
import io.alrai.dn.link.XaName;
import io.alrai.dn.rpc.wire.LeaderHint;
import io.alrai.dn.xa.RealNode;
import io.netty.channel.EventLoop;
import io.netty.channel.MultiThreadIoEventLoopGroup;
import io.netty.channel.epoll.EpollIoHandler;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.LongAdder;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * A CN's link to a DN of two members, which lead in turns. They have one mysqld between them, so
 * that what the one has prepared or decided is there for the other.
 */
@Timeout(120)
final class FollowedLeaderIT {
  private static final ClusterSecret SECRET = new ClusterSecret("open sesame, but at more length");

  @TempDir Path directory;

  private final MultiThreadIoEventLoopGroup loops =
      new MultiThreadIoEventLoopGroup(2, EpollIoHandler.newFactory());
  private final EventLoop loop = (EventLoop) loops.iterator().next();
  private final LongAdder held = new LongAdder();
  private final FakeReservation reservation = new FakeReservation();
  private RealNode node;
  private AgentServer first;
  private AgentServer second;
  private volatile KnownMembers known;
  private RemoteDnLink link;

  @BeforeEach
  void start() throws Exception {
    node = new RealNode("dn-1", 1, directory, loops, dn -> node.participant());
    node.query("CREATE SCHEMA t;CREATE TABLE t.r (id INT PRIMARY KEY, v INT)");
    first = server();
    second = server();
    known =
        new KnownMembers(
            List.of(
                new KnownMembers.Member("dn-1-a", listening(first)),
                new KnownMembers.Member("dn-1-b", listening(second))),
            new InetSocketAddress(InetAddress.getLoopbackAddress(), 1),
            0);
    link =
        new RemoteDnLink(
            node.dn(),
            () -> known,
            SECRET,
            new NodeId("cn-1"),
            NodeClock.inMemory(new HybridLogicalClock(WallTime.system(), 500)),
            loops,
            new PoolLimits(10, 4, Duration.ofSeconds(20).toNanos(), Duration.ofSeconds(10)),
            () -> {});
  }

  private AgentServer server() {
    return new AgentServer(
        node.dn(),
        SECRET,
        node.clock(),
        new Peers(System::nanoTime),
        loops,
        new ServerCounts(held, new LongAdder()));
  }

  private static InetSocketAddress listening(AgentServer server) {
    return server.start(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));
  }

  private void leads(AgentServer server, long term, Reservation reserved) {
    server.lead(
        new Leading(
            term,
            node.connector(),
            node.participant(),
            node.views(),
            KeptReplies.NONE,
            new FakeLog(node.dn()),
            reserved));
  }

  @AfterEach
  void stop() throws Exception {
    link.close();
    first.close();
    second.close();
    node.close();
    loops.shutdownGracefully(0, 1, TimeUnit.SECONDS).awaitUninterruptibly();
  }

  private static TransactionId id(int number) {
    return new TransactionId(new NodeId("cn-1"), 2, number, new DnId("dn-1"));
  }

  @Test
  void statementsWaitThroughAFailover() throws Exception {
    leads(first, 1, Reservation.NONE);
    Branch branch = RealNode.take(link, loop);
    RealNode.run(branch, "START TRANSACTION;INSERT INTO t.r VALUES (1,1)");
    first.follow(LeaderHint.NOBODY);
    Eventually.await("the end of the branch", () -> !branch.alive());
    loop.schedule(() -> leads(second, 2, Reservation.NONE), 500, TimeUnit.MILLISECONDS);
    Branch next = RealNode.take(link, loop);
    assertEquals(List.of(), RealNode.run(next, "SELECT id FROM t.r FOR UPDATE"), "rolled back");
    loop.execute(next::release);
  }

  @Test
  void aBranchThatTheOldLeaderHasPreparedIsCommittedAtTheNewOne() throws Exception {
    leads(first, 1, Reservation.NONE);
    Branch branch = RealNode.take(link, loop);
    TransactionId id = id(1);
    RealNode.run(
        branch, "XA START " + XaName.name(id, node.dn()).text() + ";INSERT INTO t.r VALUES (2,1)");
    HlcTimestamp prepared =
        RealNode.get(RealNode.onLoop(branch, () -> link.participant().prepare(branch, id)));
    first.follow(new LeaderHint(2, "dn-1-b"));
    CompletableFuture<Void> done =
        link.participant().commitPrepared(id, new HlcTimestamp(prepared.value() + 1)).done();
    leads(second, 2, Reservation.NONE);
    RealNode.get(done);
    assertEquals(List.of(List.of("2")), node.query("SELECT id FROM t.r"));
  }

  /** What became of a decision whose answer its leader could not give any more. */
  @Test
  void theOutcomeOfALostCommitIsAskedAtTheNewLeader() throws Exception {
    leads(first, 1, reservation);
    Branch branch = RealNode.take(link, loop);
    TransactionId id = id(2);
    RealNode.run(branch, "START TRANSACTION;INSERT INTO t.r VALUES (3,1)");
    HlcTimestamp proposed =
        RealNode.get(RealNode.onLoop(branch, () -> link.participant().preCommit(branch, id)));
    reservation.end();
    CompletableFuture<HlcTimestamp> decided =
        RealNode.onLoop(branch, () -> link.participant().decide(branch, id, proposed, List.of()));
    reservation.awaitWaiting(1);
    assertFalse(decided.isDone());
    leads(second, 2, Reservation.NONE);
    known = new KnownMembers(known.members(), known.members().getLast().address(), 2);
    link.membersChanged();
    HlcTimestamp commitTs = RealNode.get(decided);
    assertEquals(new Outcome.Committed(commitTs), RealNode.get(node.participant().outcome(id)));
    assertEquals(List.of(List.of("3")), node.query("SELECT id FROM t.r"));
  }

  /** One that is asked twice before it knows. */
  private static final class Asked extends FakeMembership {
    private final Queue<List<Long>> asked = new ConcurrentLinkedQueue<>();

    @Override
    public CommitFate fate(long term, long connection, HlcTimestamp sent) {
      asked.add(List.of(term, connection, sent.value()));
      return asked.size() == 1 ? CommitFate.OPEN : CommitFate.COMMITTED;
    }
  }

  @Test
  void whatBecameOfALostStatementIsAskedAtTheNewLeader() throws Exception {
    leads(first, 1, Reservation.NONE);
    Branch branch = RealNode.take(link, loop);
    long before = node.clock().nowValue();
    RealNode.run(branch, "INSERT INTO t.r VALUES (4,1)");
    first.follow(LeaderHint.NOBODY);
    Eventually.await("the end of the branch", () -> !branch.alive());
    CompletableFuture<CommitFate> fate = link.participant().fate(branch);
    Asked next = new Asked();
    second.member(next);
    leads(second, 2, Reservation.NONE);
    assertEquals(CommitFate.COMMITTED, RealNode.get(fate));
    List<Long> asked = next.asked.remove();
    assertEquals(List.of(1L, branch.serverConnectionId()), asked.subList(0, 2));
    assertTrue(asked.getLast() >= before && asked.getLast() <= node.clock().nowValue());
    assertEquals(asked, next.asked.remove());
  }

  @Test
  void aZombieTellsNothingAndIsLeft() throws Exception {
    leads(first, 1, reservation);
    Branch branch = RealNode.take(link, loop);
    assertEquals(List.of(List.of("1")), RealNode.run(branch, "SELECT 1"));
    reservation.end();
    CompletableFuture<Answer> answer =
        CompletableFuture.supplyAsync(() -> Answer.of(branch, Sql.of("SELECT 2")), loop)
            .thenCompose(got -> got);
    Eventually.await("an answer that waits", () -> held.sum() > 0);
    leads(second, 2, Reservation.NONE);
    known = new KnownMembers(known.members(), known.members().getLast().address(), 2);
    link.membersChanged();
    AlraiException lost = assertLost(answer);
    assertEquals(ErrorCode.CR_SERVER_LOST.errno(), lost.errno());
    Branch next = RealNode.take(link, loop);
    assertEquals(List.of(List.of("3")), RealNode.run(next, "SELECT 3"));
    // a late word about the old one changes nothing
    known = new KnownMembers(known.members(), known.members().getFirst().address(), 1);
    link.membersChanged();
    assertEquals(List.of(List.of("4")), RealNode.run(next, "SELECT 4"));
    assertTrue(next.alive());
    loop.execute(next::release);
  }

  private static AlraiException assertLost(CompletableFuture<Answer> answer) throws Exception {
    try {
      RealNode.get(answer);
    } catch (Answer.Failed failed) {
      return failed.reason();
    }
    throw new AssertionError("it has been answered");
  }
}
