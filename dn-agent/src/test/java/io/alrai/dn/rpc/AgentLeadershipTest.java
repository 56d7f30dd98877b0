package io.alrai.dn.rpc;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;
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
import io.alrai.dn.ask.AskExchange;
import io.alrai.dn.backend.Answer;
import io.alrai.dn.backend.Eventually;
import io.alrai.dn.backend.PipelinedBranch;
import io.alrai.dn.backend.PoolLimits;
import io.alrai.dn.clock.NodeClock;
import io.alrai.dn.clock.WallTime;
import io.alrai.dn.link.Branch;
import io.alrai.dn.link.CommitFate;
import io.alrai.dn.link.KeptReplies;
import io.alrai.dn.link.ServerCounts;
import io.alrai.dn.rpc.wire.LeaderHint;
import io.alrai.dn.rpc.wire.Message;
import io.alrai.dn.rpc.wire.Proofs;
import io.alrai.dn.ship.LogSubscription;
import io.alrai.dn.xa.RealNode;
import io.netty.channel.EventLoop;
import io.netty.channel.MultiThreadIoEventLoopGroup;
import io.netty.channel.epoll.EpollIoHandler;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.LongAdder;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** An agent that leads now and then, and whose clock is reserved up to some point: over TCP. */
@Timeout(60)
final class AgentLeadershipTest {
  private static final DnId DN = new DnId("dn-1");
  private static final ClusterSecret SECRET = new ClusterSecret("open sesame, but at more length");
  private static final TransactionId ID =
      new TransactionId(new NodeId("cn-1"), 1_700_000_000_000L, 1, DN);

  private final MultiThreadIoEventLoopGroup loops =
      new MultiThreadIoEventLoopGroup(2, EpollIoHandler.newFactory());
  private final EventLoop loop = (EventLoop) loops.iterator().next();
  private final Queue<String> commands = new ConcurrentLinkedQueue<>();
  private final OkServer mysqld = new OkServer(DN, loops, commands::add);
  private final FakeParticipant participant = new FakeParticipant();
  private final FakeReservation reservation = new FakeReservation();
  private final LongAdder held = new LongAdder();
  private final AgentServer server =
      new AgentServer(
          DN,
          SECRET,
          clock(),
          new Peers(System::nanoTime),
          loops,
          new ServerCounts(held, new LongAdder()));
  private InetSocketAddress address = InetSocketAddress.createUnresolved("nowhere", 0);

  private static NodeClock clock() {
    return NodeClock.inMemory(new HybridLogicalClock(WallTime.system(), 500));
  }

  private final FakeLog log = new FakeLog(DN);

  private Leading leading(long term) {
    return new Leading(
        term, mysqld, participant, new FakeViews(), KeptReplies.NONE, log, reservation);
  }

  private RemoteDnLink link() {
    return link(Duration.ofSeconds(20));
  }

  /** A link whose connections are awaited for that long. */
  private RemoteDnLink link(Duration patience) {
    return new RemoteDnLink(
        DN,
        () -> KnownMembers.alone(address),
        SECRET,
        new NodeId("cn-1"),
        clock(),
        loops,
        new PoolLimits(2, 4, patience.toNanos()),
        10_000);
  }

  @BeforeEach
  void start() {
    address = server.start(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));
  }

  @AfterEach
  void stop() {
    server.close();
    mysqld.close();
    loops.shutdownGracefully(0, 1, TimeUnit.SECONDS).awaitUninterruptibly();
  }

  private static <T> T get(CompletableFuture<T> future) throws Exception {
    return future.get(20, TimeUnit.SECONDS);
  }

  private CompletableFuture<Answer> query(Branch branch, String sql) {
    return CompletableFuture.supplyAsync(() -> Answer.of(branch, Sql.client(sql)), loop)
        .thenCompose(answer -> answer);
  }

  /** As it begins: whoever asks then asks again. */
  @Test
  void whatBecameOfACommitIsOpenWhileTheGroupIsNotKnown() throws Exception {
    AgentContext agent =
        new AgentContext(
            DN,
            new Proofs(SECRET),
            new Leadership(),
            clock(),
            new Peers(System::nanoTime),
            new AskExchange(),
            ServerCounts.unseen());
    Message.AskFate lost = new Message.AskFate(1, 8, new HlcTimestamp(1_700_000_000_000L));
    assertEquals(new Message.FateIs(CommitFate.OPEN), get(agent.fate(lost)));
  }

  @Test
  void whoDoesNotLeadServesNobody() throws Exception {
    server.follow(new LeaderHint(3, "dn-1-b"));
    LeaderSeeker seeker =
        new LeaderSeeker(
            DN, () -> KnownMembers.alone(address), Duration.ofSeconds(5), Duration.ofSeconds(20));
    AgentConnector connector = new AgentConnector(seeker, DN, SECRET, new NodeId("cn-1"), clock());
    CompletableFuture<String> answered = new CompletableFuture<>();
    loop.execute(() ->
        connector.openControl(
            loop,
            address,
            new AgentChannel.Listener() {
              @Override
              public void ready(AgentChannel channel, long connectionId) {
                answered.complete("ready");
              }

              @Override
              public void refused(AlraiException reason) {
                answered.complete(reason.sentence());
              }
            }));
    assertEquals("the agent of dn-1 does not lead it", get(answered));
    Eventually.await("the end of what belonged to the old leader", () -> server.connections() == 0);
  }

  @Test
  void whatBelongsToALeaderEndsWithIt() throws Exception {
    server.lead(leading(1));
    try (RemoteDnLink link = link()) {
      Branch branch = RealNode.take(link, loop);
      assertEquals(1, get(query(branch, "SELECT 1")).succeeded());
      server.follow(LeaderHint.NOBODY);
      Eventually.await(
          "the end of what belonged to the old leader",
          () -> !branch.alive() && server.connections() == 0);
      server.lead(leading(2));
      Branch next = RealNode.take(link, loop);
      assertEquals(1, get(query(next, "SELECT 1")).succeeded());
      assertTrue(get(link.participant().holdsPrepared(ID)));
    }
  }

  @Test
  void whatComesToALeaderThatLeavesHasNotRun() throws Exception {
    server.lead(leading(1));
    try (RemoteDnLink link = link(Duration.ofSeconds(2))) {
      Branch branch = RealNode.take(link, loop);
      assertEquals(1, get(query(branch, "SELECT 1")).succeeded());
      assertTrue(get(server.leave(Duration.ofSeconds(20))));
      CompletableFuture<Answer> late = query(branch, "SELECT 2");
      assertTrue(get(server.left()));
      assertTrue(lost(late).hasNotRun());
      assertThrows(AlraiException.class, () -> RealNode.take(link, loop));
      server.lead(leading(1));
      assertEquals(1, get(query(RealNode.take(link, loop), "SELECT 3")).succeeded());
    }
  }

  @Test
  void whatWasAtWorkForTooLongMayHaveRun() throws Exception {
    server.lead(leading(1));
    try (RemoteDnLink link = link()) {
      Branch branch = RealNode.take(link, loop);
      CompletableFuture<Answer> late = query(branch, "DO " + OkServer.LONG);
      Eventually.await(
          "the statement at the mysqld",
          () -> commands.stream().anyMatch(text -> text.contains(OkServer.LONG)));
      assertFalse(get(server.leave(Duration.ofMillis(50))));
      PipelinedBranch backend = mysqld.branches.take();
      mysqld.disconnect();
      Eventually.await("the end of the mysqld's connection", () -> !backend.alive());
      assertFalse(get(server.left()), "one is at work");
      server.follow(LeaderHint.NOBODY);
      assertEquals(ErrorCode.CR_SERVER_LOST.errno(), lost(late).errno());
    }
  }

  @Test
  void whereAMysqldMayHaveEndedNobodyKnowsWhatHasRun() throws Exception {
    server.lead(leading(1));
    try (RemoteDnLink link = link()) {
      Branch branch = RealNode.take(link, loop);
      assertEquals(1, get(query(branch, "SELECT 1")).succeeded());
      assertTrue(get(server.leave(Duration.ofSeconds(20))));
      CompletableFuture<Answer> late = query(branch, "SELECT 2");
      get(CompletableFuture.runAsync(() -> {}, loop)); // it is sent
      server.follow(LeaderHint.NOBODY);
      assertEquals(ErrorCode.CR_SERVER_LOST.errno(), lost(late).errno());
    }
  }

  private static AlraiException lost(CompletableFuture<?> answer) {
    return AlraiException.causeOf(
        assertThrows(ExecutionException.class, () -> get(answer)).getCause());
  }

  @Test
  void membersAreAskedWhoeverLeads() throws Exception {
    server.member(GroupMembership.alone(DN));
    server.follow(LeaderHint.NOBODY);
    try (RemoteDnLink link = link()) {
      assertEquals(List.of("dn-1"), link.members().names());
      assertTrue(get(link.members().ask("dn-1")).leads());
      CompletableFuture<Void> change = link.members().changeLeader("dn-1", "dn-1-b");
      assertTrue(
          assertThrows(ExecutionException.class, () -> get(change))
              .getMessage()
              .contains("one replica"));
    }
  }

  @Test
  void aChangeWhoseAnswerIsLostIsNotRefused() throws Exception {
    CompletableFuture<String> asked = new CompletableFuture<>();
    server.member(
        new FakeMembership() {
          @Override
          public CompletableFuture<Boolean> drop(String member) {
            asked.complete(member);
            return new CompletableFuture<>();
          }
        });
    server.follow(LeaderHint.NOBODY);
    try (RemoteDnLink link = link()) {
      CompletableFuture<Boolean> change = link.members().drop("dn-1", "dn-1-b");
      assertEquals("dn-1-b", get(asked));
      server.close();
      assertTrue(lost(change).isLostConnection());
    }
  }

  @Test
  void answersBeyondTheReservationWaitInOrder() throws Exception {
    server.lead(leading(1));
    try (RemoteDnLink link = link()) {
      Branch branch = RealNode.take(link, loop);
      assertTrue(get(link.participant().holdsPrepared(ID)));
      assertEquals(0, held.sum());
      reservation.end();
      List<CompletableFuture<Answer>> answers = new ArrayList<>();
      for (int i = 0; i < 100; i++) {
        answers.add(query(branch, "SELECT " + i));
      }
      CompletableFuture<Boolean> holds = link.participant().holdsPrepared(ID);
      reservation.awaitWaiting(2);
      assertEquals(2, held.sum());
      assertTrue(answers.stream().noneMatch(CompletableFuture::isDone));
      assertTrue(!holds.isDone());
      reservation.renew();
      for (CompletableFuture<Answer> answer : answers) {
        assertEquals(1, get(answer).succeeded());
      }
      assertTrue(get(holds));
      // and it is read on
      assertEquals(1, get(query(branch, "SELECT 1")).succeeded());
    }
  }

  @Test
  void theLogWaitsForTheReservation() throws Exception {
    server.lead(leading(1));
    log.publish(10);
    try (RemoteDnLink link = link();
        LogSubscription reader = link.log().follow()) {
      while (reader.place().isEmpty()) {
        assertTrue(reader.next(Duration.ofMillis(10)).isEmpty());
      }
      reservation.end();
      log.publish(11);
      reservation.awaitWaiting(1);
      assertTrue(reader.next(Duration.ofMillis(50)).isEmpty());
      reservation.renew();
      assertTrue(reader.next(Duration.ofSeconds(20)).isPresent());
    }
  }

  @Test
  void whoIsNotConfirmedInTimeSaysSo() throws Exception {
    server.lead(leading(1));
    try (RemoteDnLink link = link()) {
      assertTrue(get(link.participant().holdsPrepared(ID)));
      reservation.end();
      ExecutionException failed =
          assertThrows(ExecutionException.class, () -> get(link.participant().holdsPrepared(ID)));
      AlraiException reason = assertInstanceOf(AlraiException.class, failed.getCause());
      assertTrue(reason.sentence().contains("has not confirmed"), reason.sentence());
    }
  }
}
