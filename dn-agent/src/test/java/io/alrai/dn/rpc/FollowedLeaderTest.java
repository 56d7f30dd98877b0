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
import io.alrai.common.time.HybridLogicalClock;
import io.alrai.dn.backend.Answer;
import io.alrai.dn.backend.Eventually;
import io.alrai.dn.backend.PoolLimits;
import io.alrai.dn.clock.NodeClock;
import io.alrai.dn.clock.WallTime;
import io.alrai.dn.group.Reservation;
import io.alrai.dn.link.BackendAccount;
import io.alrai.dn.link.Branch;
import io.alrai.dn.link.BranchTaker;
import io.alrai.dn.link.KeptReplies;
import io.alrai.dn.link.ServerCounts;
import io.alrai.dn.rpc.wire.LeaderHint;
import io.alrai.dn.xa.RealNode;
import io.netty.channel.EventLoop;
import io.netty.channel.MultiThreadIoEventLoopGroup;
import io.netty.channel.epoll.EpollIoHandler;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A link to a DN of two members that lead in turns: over TCP, without mysqlds. */
@Timeout(60)
final class FollowedLeaderTest {
  private static final DnId DN = new DnId("dn-1");
  private static final ClusterSecret SECRET = new ClusterSecret("open sesame, but at more length");
  private static final TransactionId ID =
      new TransactionId(new NodeId("cn-1"), 1_700_000_000_000L, 1, DN);

  private final MultiThreadIoEventLoopGroup loops =
      new MultiThreadIoEventLoopGroup(2, EpollIoHandler.newFactory());
  private final EventLoop loop = (EventLoop) loops.iterator().next();
  private final Member first = new Member("dn-1-a");
  private final Member second = new Member("dn-1-b");
  private volatile KnownMembers known = KnownMembers.alone(first.address);

  private final class Member {
    final String name;
    final FakeParticipant participant = new FakeParticipant();
    final OkServer mysqld = new OkServer(DN, loops, command -> {});
    final AgentServer server =
        new AgentServer(
            DN, SECRET, clock(), new Peers(System::nanoTime), loops, ServerCounts.unseen());
    InetSocketAddress address =
        server.start(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));

    Member(String name) {
      this.name = name;
    }

    void lead(long term) {
      server.lead(
          new Leading(
              term,
              mysqld,
              participant,
              new FakeViews(),
              KeptReplies.NONE,
              new FakeLog(DN),
              Reservation.NONE));
    }

    LeaderHint hint(long term) {
      return new LeaderHint(term, name);
    }

    KnownMembers.Member member() {
      return new KnownMembers.Member(name, address);
    }

    void close() {
      server.close();
      mysqld.close();
    }
  }

  /** One that names another, and is asked for that only where it does not lead. */
  private static final class Naming extends FakeMembership {
    private final LeaderHint named;
    private final AtomicInteger asked = new AtomicInteger();

    Naming(LeaderHint named) {
      this.named = named;
    }

    @Override
    public LeaderHint leader() {
      asked.incrementAndGet();
      return named;
    }
  }

  @Test
  void whoFollowsNamesTheLeaderAndNobodyElseIsAsked() throws Exception {
    Member third = new Member("dn-1-c");
    Naming ofFirst = new Naming(third.hint(2));
    Naming ofSecond = new Naming(LeaderHint.NOBODY);
    first.server.member(ofFirst);
    second.server.member(ofSecond);
    third.lead(2);
    known =
        new KnownMembers(
            List.of(first.member(), second.member(), third.member()), first.address, 0);
    try (RemoteDnLink link = link(10_000)) {
      Branch branch = get(taking(link));
      assertEquals(1, ofFirst.asked.get());
      assertEquals(0, ofSecond.asked.get(), "a round was saved");
      loop.execute(branch::close);
    } finally {
      third.close();
    }
  }

  /** One that adds a member as soon as the test says so. */
  private static final class Adding extends FakeMembership {
    private final CompletableFuture<Boolean> added = new CompletableFuture<>();
    private final AtomicInteger asked = new AtomicInteger();

    @Override
    public CompletableFuture<Boolean> add(String member, String address, boolean keepsRows) {
      asked.incrementAndGet();
      return added;
    }
  }

  @Test
  void whoIsAskedAsAMemberAnswersWhoeverLeadsByThen() throws Exception {
    Adding adding = new Adding();
    first.server.member(adding);
    first.lead(1);
    try (RemoteDnLink link = link(20_000)) {
      String name = first.member().name();
      CompletableFuture<Boolean> asked = link.members().add(name, "logger-2", "host:1", false);
      Eventually.await("the question", () -> adding.asked.get() == 1);
      second.lead(2);
      known = new KnownMembers(known.members(), second.address, 2);
      link.membersChanged();
      works(get(taking(link)));
      adding.added.complete(true);
      assertTrue(asked.get(10, TimeUnit.SECONDS));
    }
  }

  private static NodeClock clock() {
    return NodeClock.inMemory(new HybridLogicalClock(WallTime.system(), 500));
  }

  private RemoteDnLink link(long failoverMillis) {
    return new RemoteDnLink(
        DN,
        () -> known,
        SECRET,
        new NodeId("cn-1"),
        clock(),
        loops,
        new PoolLimits(2, 4, Duration.ofSeconds(20).toNanos(), Duration.ofMillis(failoverMillis)),
        10_000);
  }

  @BeforeEach
  void start() {
    known = new KnownMembers(List.of(first.member(), second.member()), first.address, 0);
  }

  @AfterEach
  void stop() {
    first.close();
    second.close();
    loops.shutdownGracefully(0, 1, TimeUnit.SECONDS).awaitUninterruptibly();
  }

  private static <T> T get(CompletableFuture<T> future) throws Exception {
    return future.get(20, TimeUnit.SECONDS);
  }

  private CompletableFuture<Branch> taking(RemoteDnLink link) {
    CompletableFuture<Branch> taken = new CompletableFuture<>();
    loop.execute(() ->
        link.take(
            loop,
            BackendAccount.DATA,
            "",
            null,
            new BranchTaker() {
              @Override
              public void taken(Branch branch) {
                taken.complete(branch);
              }

              @Override
              public void refused(AlraiException reason) {
                taken.completeExceptionally(reason);
              }
            }));
    return taken;
  }

  private void works(Branch branch) throws Exception {
    Answer answer =
        get(
            CompletableFuture.supplyAsync(() -> Answer.of(branch, Sql.client("SELECT 1")), loop)
                .thenCompose(got -> got));
    assertEquals(1, answer.succeeded());
  }

  private static AlraiException failure(CompletableFuture<?> call) {
    ExecutionException failed = assertThrows(ExecutionException.class, () -> get(call));
    return assertInstanceOf(AlraiException.class, failed.getCause());
  }

  @Test
  void statementsWaitUntilSomebodyLeads() throws Exception {
    try (RemoteDnLink link = link(20_000)) {
      List<CompletableFuture<Branch>> waiting = new ArrayList<>();
      waiting.add(taking(link));
      waiting.add(taking(link));
      CompletableFuture<Boolean> holds = link.participant().holdsPrepared(ID);
      loop.schedule(() -> second.lead(1), 100, TimeUnit.MILLISECONDS);
      for (CompletableFuture<Branch> branch : waiting) {
        works(get(branch));
      }
      assertTrue(get(holds));
      assertEquals(List.of("holds"), second.participant.calls);
    }
  }

  @Test
  void whatBelongsToAnOldLeaderEndsAndTheNextStatementGoesToTheNewOne() throws Exception {
    first.lead(1);
    try (RemoteDnLink link = link(20_000)) {
      Branch old = get(taking(link));
      works(old);
      first.server.follow(LeaderHint.NOBODY);
      second.lead(2);
      works(get(taking(link)));
      assertFalse(old.alive());
      assertTrue(get(link.participant().holdsPrepared(ID)));
      assertEquals(List.of("holds"), second.participant.calls);
      // and back
      second.server.follow(first.hint(3));
      first.lead(3);
      works(get(taking(link)));
    }
  }

  @Test
  void aMemberThatIsGoneIsSoughtElsewhere() throws Exception {
    first.lead(1);
    try (RemoteDnLink link = link(20_000)) {
      works(get(taking(link)));
      first.server.close();
      second.lead(2);
      works(get(taking(link)));
    }
  }

  /** It goes on leading, as far as it knows, and keeps its connections. */
  @Test
  void whoeverIsSaidToLeadInALaterTermEndsTheConnectionsToAZombie() throws Exception {
    first.lead(1);
    try (RemoteDnLink link = link(20_000)) {
      Branch old = get(taking(link));
      works(old);
      second.lead(2);
      known = new KnownMembers(known.members(), second.address, 2);
      link.membersChanged();
      works(get(taking(link)));
      Eventually.await("the end of what belonged to the old leader", () -> !old.alive());
      // late
      known = new KnownMembers(known.members(), first.address, 1);
      link.membersChanged();
      assertTrue(get(link.participant().holdsPrepared(ID)));
      works(get(taking(link)));
      assertEquals(List.of(), first.participant.calls);
      assertEquals(List.of("holds"), second.participant.calls);
    }
  }

  @Test
  void aMemberThatSaysNothingIsNotTheOnlyOneToBeAsked() throws Exception {
    try (ServerSocket stopped = new ServerSocket(0, 10, InetAddress.getLoopbackAddress())) {
      known =
          new KnownMembers(
              List.of(
                  new KnownMembers.Member(
                      "dn-1-a", (InetSocketAddress) stopped.getLocalSocketAddress()),
                  second.member()),
              (InetSocketAddress) stopped.getLocalSocketAddress(),
              1);
      second.lead(2);
      try (RemoteDnLink link = link(20_000)) {
        works(get(taking(link)));
      }
    }
  }

  @Test
  void whoWaitsInVainReadsWhoWasAsked() {
    second.server.close();
    try (RemoteDnLink link = link(2_000)) {
      AlraiException reason = failure(taking(link));
      assertEquals(ErrorCode.ALRAI_NODE_UNAVAILABLE.errno(), reason.errno());
      assertEquals(
          "no member of dn-1 is known to lead it: dn-1-a: the agent of dn-1 does not lead it;"
              + " dn-1-b: the agent of dn-1 cannot be reached",
          reason.sentence());
    }
  }

  /** Its answers to what it is asked do not come: the other one is asked whether it leads. */
  @Test
  void aLeaderThatStandsStillIsSoughtElsewhere() throws Exception {
    FakeReservation reservation = new FakeReservation();
    first.server.lead(
        new Leading(
            1,
            first.mysqld,
            first.participant,
            new FakeViews(),
            KeptReplies.NONE,
            new FakeLog(DN),
            reservation));
    try (RemoteDnLink link = link(20_000)) {
      Branch old = get(taking(link));
      works(old);
      reservation.end();
      second.lead(2);
      Eventually.await("the end of what belonged to the old leader", () -> !old.alive());
      works(get(taking(link)));
    }
  }

  @Test
  void theLogIsFollowedThere() throws Exception {
    try (RemoteDnLink link = link(20_000)) {
      loop.schedule(() -> second.lead(1), 50, TimeUnit.MILLISECONDS);
      link.log().follow().close();
    }
  }

  @Test
  void aLeaderThatIsElectedAgainIsFollowed() throws Exception {
    first.lead(1);
    try (RemoteDnLink link = link(20_000)) {
      for (int term = 2; term < 20; term++) {
        Branch branch = RealNode.take(link, loop);
        works(branch);
        loop.execute(branch::release);
        first.lead(term);
        Eventually.await("the end of what belonged to the old leader", () -> !branch.alive());
      }
    }
  }
}
