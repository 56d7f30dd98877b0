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
import io.alrai.common.time.HlcTimestamp;
import io.alrai.common.time.HybridLogicalClock;
import io.alrai.dn.backend.PoolLimits;
import io.alrai.dn.binlog.BinlogException;
import io.alrai.dn.binlog.BinlogPosition;
import io.alrai.dn.binlog.BinlogTransaction;
import io.alrai.dn.binlog.GtidSet;
import io.alrai.dn.clock.NodeClock;
import io.alrai.dn.clock.WallTime;
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
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The log through the envelope: two sides over TCP, without a mysqld. */
@Timeout(60)
final class RemoteLogTest {
  private static final DnId DN = new DnId("dn-1");
  private static final ClusterSecret SECRET = new ClusterSecret("open sesame, but at more length");
  private static final Duration LONG = Duration.ofSeconds(20);

  private final MultiThreadIoEventLoopGroup loops =
      new MultiThreadIoEventLoopGroup(2, EpollIoHandler.newFactory());
  private final FakeLog log = new FakeLog(DN);
  private final AgentServer server =
      LeadingServer.of(
          DN,
          SECRET,
          (loop, account, home, taker) -> {
            throw new AssertionError("nobody wants a branch");
          },
          new FakeParticipant(),
          new FakeViews(),
          log,
          clock(),
          loops);
  private InetSocketAddress address = InetSocketAddress.createUnresolved("nowhere", 0);
  private final RemoteDnLink link =
      new RemoteDnLink(
          DN,
          () -> KnownMembers.alone(address),
          SECRET,
          new NodeId("cn-1"),
          clock(),
          loops,
          new PoolLimits(2, 4, Duration.ofSeconds(5).toNanos()),
          2_000);

  private static NodeClock clock() {
    return NodeClock.inMemory(new HybridLogicalClock(WallTime.system(), 500));
  }

  @BeforeEach
  void start() {
    address = server.start(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));
  }

  @AfterEach
  void stop() {
    link.close();
    server.close();
    loops.shutdownGracefully(0, 1, TimeUnit.SECONDS).awaitUninterruptibly();
  }

  /** At the end of the log: what is let through from now on comes. */
  private LogSubscription placed() throws InterruptedException {
    LogSubscription reader = link.log().follow();
    long deadline = System.nanoTime() + LONG.toNanos();
    while (reader.place().isEmpty() && System.nanoTime() - deadline < 0) {
      assertEquals(Optional.empty(), reader.next(Duration.ofMillis(10)));
    }
    return reader;
  }

  @Test
  void everyTransactionComesOnceInOrderWithItsStamp() throws Exception {
    log.publish(10);
    try (LogSubscription reader = placed()) {
      assertEquals(Optional.of(place(new BinlogPosition("binlog.000001", 1_000))), reader.place());
      for (int i = 2; i < 500; i++) {
        log.publish(i);
      }
      for (int i = 2; i < 500; i++) {
        BinlogTransaction next = reader.next(LONG).orElseThrow();
        assertEquals(i, next.gtid().number());
        assertEquals(i, next.events().orElseThrow().length());
        assertEquals(Optional.of(FakeLog.stampOf(i)), reader.stamp());
        assertEquals(Optional.of(place(next.end())), reader.place());
      }
      assertEquals(Optional.empty(), reader.next(Duration.ZERO));
    }
  }

  /** 64 MB are sent; the receiver holds 8 MB and what the sockets have before it reads. */
  @Test
  void whoDoesNotReadHoldsUpTheSender() throws Exception {
    try (LogSubscription reader = placed()) {
      for (int i = 0; i < 64; i++) {
        log.publish(1 << 20);
      }
      BinlogTransaction first = reader.next(LONG).orElseThrow();
      TimeUnit.MILLISECONDS.sleep(300);
      assertTrue(log.consumedBytes() < 48 << 20, "the sender has read on: " + log.consumedBytes());
      assertEquals(1, first.gtid().number());
      for (int i = 2; i <= 64; i++) {
        assertEquals(i, reader.next(LONG).orElseThrow().gtid().number());
      }
    }
  }

  @Test
  void aBrokenConnectionIsSaidAndTheNextReaderBeginsAtTheEnd() throws Exception {
    try (LogSubscription reader = placed()) {
      log.publish(10);
      assertEquals(1, reader.next(LONG).orElseThrow().gtid().number());
      server.close();
      assertThrows(BinlogException.class, () -> reader.next(LONG));
      assertThrows(BinlogException.class, () -> reader.next(LONG), "every time");
    }
    assertThrows(BinlogException.class, () -> link.log().follow());
    log.publish(10);
    server.start(address);
    try (LogSubscription reader = placed()) {
      log.publish(10);
      assertEquals(3, reader.next(LONG).orElseThrow().gtid().number());
    }
  }

  @Test
  void whoComesBackGoesOnWhereItWas() throws Exception {
    log.publish(10);
    GtidSet position;
    try (LogSubscription reader = placed()) {
      log.publish(10);
      assertEquals(2, reader.next(LONG).orElseThrow().gtid().number());
      position = reader.position();
    }
    BinlogTransaction lost = log.publish(10);
    log.missed = (known, until) -> new Missing(position.equals(known) ? lost : log.publish(1));
    try (LogSubscription reader = link.log().follow(position)) {
      assertEquals(3, reader.next(LONG).orElseThrow().gtid().number());
      assertEquals(Optional.of(FakeLog.stampOf(77)), reader.stamp());
      assertEquals(Optional.empty(), reader.place());
      log.publish(10);
      assertEquals(4, reader.next(LONG).orElseThrow().gtid().number());
      assertTrue(reader.place().isPresent());
    }
  }

  @Test
  void whatIsNotKeptAnyMoreIsSaid() throws Exception {
    log.publish(10);
    log.forget();
    assertTrue(
        assertThrows(BinlogException.class, () -> link.log().follow(new GtidSet())).positionLost());
    log.missed =
        (known, until) -> {
          throw new BinlogException("the disk is slow today");
        };
    assertFalse(
        assertThrows(BinlogException.class, () -> link.log().follow(new GtidSet())).positionLost());
  }

  /** One transaction. */
  private static final class Missing implements Backlog {
    private Optional<BinlogTransaction> left;

    private Missing(BinlogTransaction one) {
      left = Optional.of(one);
    }

    @Override
    public Optional<Missed> next(long millis) {
      Optional<Missed> next = left.map(one -> new Missed(one, Optional.of(FakeLog.stampOf(77))));
      left = Optional.empty();
      return next;
    }

    @Override
    public void close() {
      left = Optional.empty();
    }
  }

  @Test
  void whoLeavesIsForgotten() throws Exception {
    placed().close();
    long deadline = System.nanoTime() + LONG.toNanos();
    while (log.subscriptions() > 0 && System.nanoTime() - deadline < 0) {
      Thread.onSpinWait();
    }
    assertEquals(0, log.subscriptions());
  }

  @Test
  void questionsAreAnswered() throws Exception {
    ResolvedPlace resolved =
        new ResolvedPlace(
            HlcTimestamp.ofMillis(1_700_000_000_000L), place(new BinlogPosition("b.1", 77)));
    log.resolved.complete(resolved);
    assertEquals(resolved, get(link.log().resolve(HlcTimestamp.ZERO)));
    TransactionId id = new TransactionId(new NodeId("cn-1"), 1_700_000_000_000L, 1, DN);
    log.branches.complete(List.of(id));
    assertEquals(List.of(id), get(link.log().preparedBranches()));
    log.resolved =
        CompletableFuture.failedFuture(
            new AlraiException(ErrorCode.ALRAI_NODE_UNAVAILABLE, "the gate is closed"));
    ExecutionException error =
        assertThrows(ExecutionException.class, () -> get(link.log().resolve(HlcTimestamp.ZERO)));
    assertEquals(
        "the gate is closed", assertInstanceOf(AlraiException.class, error.getCause()).sentence());
  }

  private static LogPlace place(BinlogPosition position) {
    return new LogPlace(FakeLog.LEAD, position);
  }

  private static <T> T get(CompletableFuture<T> future) throws Exception {
    return future.get(20, TimeUnit.SECONDS);
  }
}
