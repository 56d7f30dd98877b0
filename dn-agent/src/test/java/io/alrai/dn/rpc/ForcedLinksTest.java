package io.alrai.dn.rpc;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.alrai.common.error.AlraiException;
import io.alrai.common.id.DnId;
import io.alrai.common.id.NodeId;
import io.alrai.common.id.TransactionId;
import io.alrai.common.secret.ClusterSecret;
import io.alrai.common.time.HybridLogicalClock;
import io.alrai.dn.backend.Eventually;
import io.alrai.dn.backend.PoolLimits;
import io.alrai.dn.clock.NodeClock;
import io.alrai.dn.clock.WallTime;
import io.alrai.dn.group.Reservation;
import io.alrai.dn.link.KeptReplies;
import io.alrai.dn.link.MemberStatus;
import io.alrai.dn.link.ServerCounts;
import io.alrai.dn.reads.ServedViews;
import io.alrai.dn.rpc.wire.KnownGenerations;
import io.alrai.dn.xa.RealNode;
import io.netty.channel.MultiThreadIoEventLoopGroup;
import io.netty.channel.epoll.EpollIoHandler;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Over TCP: a member of a group that was forced, and one that the group goes on without. */
@Timeout(60)
final class ForcedLinksTest {
  private static final DnId DN = new DnId("dn-1");
  private static final ClusterSecret SECRET = new ClusterSecret("open sesame, but at more length");
  private static final TransactionId ID =
      new TransactionId(new NodeId("cn-1"), 1_700_000_000_000L, 1, DN);
  private static final long FIRST = 1L << 32;

  private final MultiThreadIoEventLoopGroup loops =
      new MultiThreadIoEventLoopGroup(2, EpollIoHandler.newFactory());
  private final Agent old = new Agent();
  private final Agent survivor = new Agent();
  private final List<KnownMembers.Member> both =
      List.of(
          new KnownMembers.Member("dn-1-a", old.address),
          new KnownMembers.Member("dn-1-b", survivor.address));
  private volatile KnownMembers known = new KnownMembers(both, old.address, 3);

  private final class Agent extends FakeMembership {
    final FakeParticipant participant = new FakeParticipant();
    final OkServer mysqld = new OkServer(DN, loops, command -> {});
    final AgentServer server =
        new AgentServer(
            DN, SECRET, clock(), new Peers(System::nanoTime), loops, ServerCounts.unseen());
    final InetSocketAddress address =
        server.start(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));
    final AtomicLong heard = new AtomicLong();

    Agent() {
      server.member(this);
    }

    @Override
    public boolean isOver(KnownGenerations by) {
      heard.set(by.group());
      return this == old && by.group() > 0 && !by.survivor().equals("dn-1-a");
    }

    @Override
    public Optional<ServedViews> reads() {
      return Optional.of(new ServedViews(mysqld, new FakeViews()));
    }

    @Override
    public CompletableFuture<MemberStatus> status() {
      return CompletableFuture.completedFuture(MemberStatus.alone("dn-1-a"));
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

    void close() {
      server.close();
      mysqld.close();
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
        Math.min(10_000, 3 * failoverMillis)); // a refused question is asked again until then
  }

  @AfterEach
  void stop() {
    old.close();
    survivor.close();
    loops.shutdownGracefully(0, 1, TimeUnit.SECONDS).awaitUninterruptibly();
  }

  private static boolean asks(RemoteDnLink link) throws Exception {
    return link.participant().holdsPrepared(ID).get(20, TimeUnit.SECONDS);
  }

  /** The catalog has one member then, and its term ends what belongs to the others. */
  @Test
  void whoHearsThatOneWasForcedLeavesTheOthers() throws Exception {
    old.lead(3);
    try (RemoteDnLink link = link(20_000)) {
      assertTrue(asks(link));
      assertEquals(List.of("holds"), old.participant.calls);
      known = forced(survivor.address, FIRST);
      link.membersChanged();
      Eventually.await("the end of the old connection", () -> old.server.connections() == 0);
      survivor.lead(FIRST + 1);
      assertTrue(asks(link));
      assertEquals(List.of("holds"), survivor.participant.calls);
      assertEquals(List.of("holds"), old.participant.calls);
    }
  }

  private KnownMembers forced(InetSocketAddress at, long term) {
    return new KnownMembers(
        List.of(new KnownMembers.Member("dn-1-b", at)),
        List.of(),
        at,
        term,
        new KnownGenerations(0, 1, "dn-1-b"));
  }

  /** It hears it by who calls, serves nobody who knows, and would not be believed. */
  @Test
  void oneThatTheGroupGoesOnWithoutServesNobodyWhoKnows() throws Exception {
    old.lead(9);
    known = forced(old.address, FIRST);
    try (RemoteDnLink link = link(500)) {
      assertThrows(ExecutionException.class, () -> asks(link));
      assertEquals(1, old.heard.get());
      assertEquals(List.of(), old.participant.calls);
    }
  }

  /** It follows: nobody leads there. It still says how it is. */
  @Test
  void nobodyWhoKnowsReadsOfOneThatTheGroupGoesOnWithout() throws Exception {
    known = new KnownMembers(both, survivor.address, FIRST + 1);
    try (RemoteDnLink link = link(500)) {
      RealNode.take(link.replicas().orElseThrow(), loops.next()).close();
    }
    known =
        new KnownMembers(
            both, List.of(), survivor.address, FIRST + 1, new KnownGenerations(0, 1, "dn-1-b"));
    try (RemoteDnLink link = link(500)) {
      AlraiException refused =
          assertThrows(
              AlraiException.class,
              () -> RealNode.take(link.replicas().orElseThrow(), loops.next()));
      assertTrue(refused.sentence().contains("does not lead it"), refused.sentence());
      assertEquals(1, old.heard.get());
      assertEquals("dn-1-a", link.members().ask("dn-1-a").get(20, TimeUnit.SECONDS).name());
    }
  }

  @Test
  void whoFollowsAGmsThatIsOverIsRefused() throws Exception {
    AtomicLong generation = new AtomicLong(1_337);
    old.server.follows(generation::get);
    old.lead(3);
    known = new KnownMembers(List.of(), old.address, 0);
    try (RemoteDnLink link = link(500)) {
      ExecutionException refused = assertThrows(ExecutionException.class, () -> asks(link));
      String sentence = AlraiException.causeOf(refused).sentence();
      assertTrue(sentence.contains("refuses cn-1: it follows nodes of the GMS"), sentence);
      known = known.of(1_337);
      Eventually.await("an answer", () -> answers(link));
      // one that is connected when that is heard of is served no longer
      generation.set(2_674);
      Eventually.await("the end of the connection", () -> !answers(link));
      known = known.of(2_674);
      Eventually.await("an answer of who follows it, too", () -> answers(link));
    }
  }

  private static boolean answers(RemoteDnLink link) {
    try {
      return asks(link);
    } catch (Exception refused) {
      return false;
    }
  }
}
