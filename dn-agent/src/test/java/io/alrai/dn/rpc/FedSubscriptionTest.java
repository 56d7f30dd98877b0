package io.alrai.dn.rpc;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.alrai.common.id.DnId;
import io.alrai.common.id.NodeId;
import io.alrai.common.secret.ClusterSecret;
import io.alrai.common.time.HlcTimestamp;
import io.alrai.common.time.HybridLogicalClock;
import io.alrai.dn.backend.PoolLimits;
import io.alrai.dn.binlog.BinlogException;
import io.alrai.dn.binlog.BinlogPosition;
import io.alrai.dn.binlog.BinlogTransaction;
import io.alrai.dn.binlog.GtidSet;
import io.alrai.dn.clock.NodeClock;
import io.alrai.dn.clock.WallTime;
import io.alrai.dn.group.Reservation;
import io.alrai.dn.link.KeptReplies;
import io.alrai.dn.link.ServerCounts;
import io.alrai.dn.reads.ServedViews;
import io.alrai.dn.ship.Backlog;
import io.alrai.dn.ship.LogPlace;
import io.alrai.dn.ship.LogSubscription;
import io.alrai.dn.ship.ResolvedPlace;
import io.netty.channel.MultiThreadIoEventLoopGroup;
import io.netty.channel.epoll.EpollIoHandler;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Which of two members feeds: over TCP, without a mysqld. */
@Timeout(60)
class FedSubscriptionTest {
  private static final DnId DN = new DnId("dn-1");
  private static final ClusterSecret SECRET = new ClusterSecret("open sesame, but at more length");
  private static final Duration LONG = Duration.ofSeconds(20);

  private final MultiThreadIoEventLoopGroup loops =
      new MultiThreadIoEventLoopGroup(2, EpollIoHandler.newFactory());
  private final OkServer mysqld = new OkServer(DN, loops, command -> {});
  private final Agent leader = new Agent();
  private final Agent follower = new Agent();
  private final RemoteDnLink link;
  private volatile List<KnownMembers.Member> members;

  private final class Agent extends FakeMembership {
    final FakeLog log = new FakeLog(DN);
    final ServerCounts counts = ServerCounts.unseen();
    final AgentServer server =
        new AgentServer(DN, SECRET, clock(), new Peers(System::nanoTime), loops, counts);
    final InetSocketAddress address =
        server.start(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));

    /** Whether it follows. */
    volatile boolean feeds;

    Agent() {
      server.member(this);
    }

    @Override
    public Optional<ServedViews> reads() {
      return Optional.of(
          feeds
              ? new ServedViews(mysqld, new FakeViews(), Optional.of(log))
              : new ServedViews(mysqld, new FakeViews()));
    }

    boolean hasSent() {
      return counts.sent().sum() > 0;
    }
  }

  FedSubscriptionTest() {
    leader.server.lead(
        new Leading(
            1,
            mysqld,
            new FakeParticipant(),
            new FakeViews(),
            KeptReplies.NONE,
            leader.log,
            Reservation.NONE));
    follower.feeds = true;
    members =
        List.of(
            new KnownMembers.Member("dn-1-a", leader.address),
            new KnownMembers.Member("dn-1-b", follower.address));
    link =
        new RemoteDnLink(
            DN,
            () -> new KnownMembers(members, leader.address, 1),
            SECRET,
            new NodeId("columnar-1"),
            clock(),
            loops,
            new PoolLimits(2, 4, Duration.ofSeconds(5).toNanos()),
            2_000);
  }

  private static NodeClock clock() {
    return NodeClock.inMemory(new HybridLogicalClock(WallTime.system(), 500));
  }

  @AfterEach
  void stop() {
    link.close();
    leader.server.close();
    follower.server.close();
    mysqld.close();
    loops.shutdownGracefully(0, 1, TimeUnit.SECONDS).awaitUninterruptibly();
  }

  /** Both have it: the one or the other gives it. */
  private long publish() {
    follower.log.publish(100);
    return leader.log.publish(100).gtid().number();
  }

  private static long number(Optional<BinlogTransaction> next) {
    return next.orElseThrow().gtid().number();
  }

  @Test
  void aFollowerFeedsAndTheLeaderSendsNothing() throws Exception {
    try (LogSubscription reader = link.log().follow()) {
      assertEquals(publish(), number(reader.next(LONG)));
      assertEquals("dn-1-b", link.log().feeder());
      assertFalse(leader.hasSent());
      assertTrue(follower.counts.sent().sum() > 100);
    }
  }

  @Test
  void theLeaderFeedsUntilSomebodyFollows() throws Exception {
    follower.feeds = false;
    try (LogSubscription reader = link.log().follow()) {
      assertEquals(publish(), number(reader.next(LONG)));
      assertEquals("dn-1", link.log().feeder());
      follower.feeds = true;
      follower.log.missed = (known, until) -> nothing();
      awaitFollower(reader);
      assertEquals(publish(), number(reader.next(LONG)));
    }
  }

  private void awaitFollower(LogSubscription reader) throws InterruptedException {
    while (!link.log().feeder().equals("dn-1-b")) {
      assertEquals(Optional.empty(), reader.next(Duration.ofMillis(20)));
    }
  }

  @Test
  void aFollowerThatCannotCostsTheReaderNothing() throws Exception {
    follower.feeds = false;
    try (LogSubscription reader = link.log().follow()) {
      assertEquals(publish(), number(reader.next(LONG)));
      follower.log.publish(100); // so that something is missed
      follower.log.forget();
      follower.feeds = true;
      while (!follower.hasSent()) {
        assertEquals(Optional.empty(), reader.next(Duration.ofMillis(20)));
      }
      assertEquals(Optional.empty(), reader.next(Duration.ofMillis(200)));
      assertEquals("dn-1", link.log().feeder());
      leader.log.publish(100);
      assertEquals(2, number(reader.next(LONG)));
    }
  }

  /** The leader feeds until the other one has begun. */
  @Test
  void whatBothGiveComesOnce() throws Exception {
    follower.feeds = false;
    try (LogSubscription reader = link.log().follow()) {
      assertEquals(publish(), number(reader.next(LONG)));
      CompletableFuture<GtidSet> asked = new CompletableFuture<>();
      CompletableFuture<Backlog> begins = new CompletableFuture<>();
      follower.log.missed =
          (known, until) -> {
            asked.complete(known);
            return begins.join();
          };
      BinlogTransaction second = follower.log.publish(100);
      follower.feeds = true;
      while (!asked.isDone()) {
        assertEquals(Optional.empty(), reader.next(Duration.ofMillis(20)));
      }
      leader.log.publish(100);
      assertEquals(2, number(reader.next(LONG)));
      GtidSet read = reader.position();
      begins.complete(new Once(second));
      awaitFollower(reader);
      assertEquals(read, reader.position());
      assertEquals(publish(), number(reader.next(LONG)));
      assertEquals(read.missingOf(reader.position()), 1);
    }
  }

  private static final class Once implements Backlog {
    private Optional<BinlogTransaction> left;

    Once(BinlogTransaction one) {
      left = Optional.of(one);
    }

    @Override
    public Optional<Missed> next(long millis) {
      Optional<Missed> next = left.map(one -> new Missed(one, Optional.of(HlcTimestamp.ZERO)));
      left = Optional.empty();
      return next;
    }

    @Override
    public void close() {}
  }

  /** Its group was forced without it, and it does not know. */
  @Test
  void whoIsNoMemberAnyMoreIsLeft() throws Exception {
    try (LogSubscription reader = link.log().follow()) {
      assertEquals(publish(), number(reader.next(LONG)));
      members = members.subList(0, 1);
      BinlogException left =
          assertThrows(
              BinlogException.class,
              () -> {
                while (true) {
                  reader.next(Duration.ofMillis(20));
                }
              });
      assertTrue(String.valueOf(left.getMessage()).contains("no member"), left::getMessage);
    }
  }

  private static Backlog nothing() {
    throw new BinlogException("both have the same");
  }

  @Test
  void whatAFollowerHasForgottenTheLeaderMayHave() throws Exception {
    GtidSet position;
    try (LogSubscription reader = link.log().follow()) {
      publish();
      reader.next(LONG);
      position = reader.position();
    }
    publish();
    follower.log.forget();
    leader.log.missed = (known, until) -> nothing();
    BinlogException atBoth = assertThrows(BinlogException.class, () -> link.log().follow(position));
    assertFalse(atBoth.positionLost(), atBoth::getMessage);
    assertTrue(
        String.valueOf(atBoth.getMessage()).contains("both have the same"), atBoth::getMessage);
  }

  /** Its connection is there, and its leader has let through what somebody waits for. */
  @Test
  void aFollowerThatSaysNothingHasFailed() throws Exception {
    try (LogSubscription reader = link.log().follow()) {
      leader.log.publish(100);
      LogPlace place = new LogPlace(FakeLog.LEAD, new BinlogPosition("binlog.000001", 1_000));
      leader.log.resolved.complete(new ResolvedPlace(FakeLog.stampOf(1), place));
      link.log().resolve(HlcTimestamp.ZERO).get(20, TimeUnit.SECONDS);
      BinlogException silent =
          assertThrows(
              BinlogException.class,
              () -> {
                while (true) {
                  reader.next(Duration.ofMillis(20));
                }
              });
      assertTrue(String.valueOf(silent.getMessage()).contains("says nothing"), silent::getMessage);
    }
    link.log().follow().close();
    assertEquals("dn-1", link.log().feeder());
    assertTrue(leader.hasSent());
  }
}
