package io.alrai.dn.rpc;

import static java.nio.charset.StandardCharsets.US_ASCII;
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
import io.alrai.dn.clock.NodeClock;
import io.alrai.dn.clock.WallTime;
import io.alrai.dn.link.CommitParticipant;
import io.alrai.dn.link.CommitParticipant.Finishing;
import io.alrai.dn.link.CommitParticipant.Outcome;
import io.alrai.dn.link.PushAnswer;
import io.alrai.dn.xa.RealNode;
import io.netty.channel.MultiThreadIoEventLoopGroup;
import io.netty.channel.epoll.EpollIoHandler;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** An agent without a mysqld: who gets in, whose clock is followed, calls that need no branch. */
final class AgentHandshakeTest {
  private static final DnId DN = new DnId("dn-1");
  private static final ClusterSecret SECRET = new ClusterSecret("open sesame, but at more length");
  private static final TransactionId ID =
      new TransactionId(new NodeId("cn-1"), 1_700_000_000_000L, 1, DN);

  private final MultiThreadIoEventLoopGroup loops =
      new MultiThreadIoEventLoopGroup(2, EpollIoHandler.newFactory());
  private final NodeClock agentClock = clock(0);
  private final FakeParticipant participant = new FakeParticipant();
  private InetSocketAddress address = InetSocketAddress.createUnresolved("nowhere", 0);
  private AgentServer server = server();

  private static NodeClock clock(long offsetMillis) {
    return NodeClock.inMemory(new HybridLogicalClock(WallTime.withOffset(offsetMillis), 500));
  }

  private AgentServer server() {
    return LeadingServer.of(
        DN,
        SECRET,
        (loop, account, home, taker) ->
            taker.refused(
                new AlraiException(ErrorCode.ALRAI_NODE_UNAVAILABLE, "the mysqld is down")),
        participant,
        new FakeViews(),
        new FakeLog(DN),
        agentClock,
        loops);
  }

  @BeforeEach
  void start() {
    address = server.start(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));
  }

  @AfterEach
  void stop() {
    server.close();
    loops.shutdownGracefully(0, 1, TimeUnit.SECONDS).awaitUninterruptibly();
  }

  private RemoteDnLink link(DnId dn, ClusterSecret secret, NodeClock clock) {
    return new RemoteDnLink(
        dn,
        () -> KnownMembers.alone(address),
        secret,
        new NodeId("cn-1"),
        clock,
        loops,
        new PoolLimits(2, 4, Duration.ofMillis(300).toNanos()),
        500);
  }

  private AlraiException refused(RemoteDnLink link) {
    return assertThrows(AlraiException.class, () -> RealNode.take(link, loops.next()));
  }

  private static AlraiException failure(CompletableFuture<?> call) {
    ExecutionException failed =
        assertThrows(ExecutionException.class, () -> call.get(20, TimeUnit.SECONDS));
    return assertInstanceOf(AlraiException.class, failed.getCause());
  }

  @Test
  void nobodyWaitsForTheConnectionOfTheFirstCall() throws Exception {
    try (ServerSocket agent = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      agent.setSoTimeout(5_000);
      address = (InetSocketAddress) agent.getLocalSocketAddress();
      try (RemoteDnLink link = link(DN, SECRET, clock(0))) {
        agent.accept().close();
        assertEquals(DN, link.dn());
      }
    }
  }

  @Test
  void callsReachTheParticipant() throws Exception {
    try (RemoteDnLink link = link(DN, SECRET, clock(0))) {
      CommitParticipant remote = link.participant();
      HlcTimestamp ts = HlcTimestamp.ofMillis(5);
      Finishing commit = remote.commitPrepared(ID, ts);
      commit.submitted().get(10, TimeUnit.SECONDS);
      commit.done().get(10, TimeUnit.SECONDS);
      remote.rollbackPrepared(ID).get(10, TimeUnit.SECONDS);
      remote.forget(ID);
      assertEquals(
          new Outcome.Committed(HlcTimestamp.ofMillis(7)),
          remote.outcome(ID).get(10, TimeUnit.SECONDS));
      assertTrue(remote.holdsPrepared(ID).get(10, TimeUnit.SECONDS));
      assertEquals(
          new PushAnswer.Committed(HlcTimestamp.ofMillis(9)),
          remote.push(ID, ts, HlcTimestamp.ofMillis(6)).get(10, TimeUnit.SECONDS));
      // to hear that it is submitted, and that it is done
      assertEquals(
          List.of(
              "commit 5.0", "commit 5.0", "rollback", "forget", "outcome", "holds", "push 5.0 6.0"),
          participant.calls);
    }
  }

  @Test
  void aBranchIsRefusedForTheMysqldsReason() throws Exception {
    try (RemoteDnLink link = link(DN, SECRET, clock(0))) {
      AlraiException reason = refused(link);
      assertEquals(ErrorCode.ALRAI_NODE_UNAVAILABLE.errno(), reason.errno());
      assertEquals("the mysqld is down", reason.sentence());
    }
  }

  @Test
  void anotherSecretIsRefused() throws Exception {
    try (RemoteDnLink link =
        link(DN, new ClusterSecret("open barley, but at more length"), clock(0))) {
      assertEquals(ErrorCode.ER_ACCESS_DENIED_ERROR.errno(), refused(link).errno());
    }
  }

  @Test
  void theAgentOfAnotherDnIsNotUsed() throws Exception {
    try (RemoteDnLink link = link(new DnId("dn-9"), SECRET, clock(0))) {
      AlraiException reason = failure(link.participant().outcome(ID));
      assertEquals(ErrorCode.ALRAI_NODE_UNAVAILABLE.errno(), reason.errno());
      assertTrue(reason.sentence().contains("dn-1"), reason.sentence());
    }
  }

  @Test
  void clocksMeetWithinTheBound() throws Exception {
    NodeClock ahead = clock(300);
    try (RemoteDnLink link = link(DN, SECRET, ahead)) {
      HlcTimestamp sent = ahead.now();
      link.participant().outcome(ID).get(10, TimeUnit.SECONDS);
      assertTrue(agentClock.now().compareTo(sent) >= 0);
    }
  }

  @Test
  void aClockBeyondTheBoundIsRefusedAndNotFollowed() throws Exception {
    try (RemoteDnLink link = link(DN, SECRET, clock(5_000))) {
      assertEquals(ErrorCode.ALRAI_CLOCK_SKEW.errno(), refused(link).errno());
      assertTrue(agentClock.now().millis() < System.currentTimeMillis() + 600);
    }
    try (RemoteDnLink link = link(DN, SECRET, clock(-5_000))) {
      AlraiException reason = failure(link.participant().outcome(ID));
      assertEquals(ErrorCode.ALRAI_CLOCK_SKEW.errno(), reason.errno());
    }
  }

  @Test
  void aDeadAgentIsUnavailableAfterABoundedWait() {
    try (RemoteDnLink link = link(DN, SECRET, clock(0))) {
      server.close();
      long begin = System.nanoTime();
      AlraiException reason = failure(link.participant().holdsPrepared(ID));
      assertEquals(ErrorCode.ALRAI_NODE_UNAVAILABLE.errno(), reason.errno());
      assertTrue(System.nanoTime() - begin < TimeUnit.SECONDS.toNanos(5));
    }
  }

  @Test
  void aCallFindsAnAgentThatCameBack() throws Exception {
    try (RemoteDnLink link = link(DN, SECRET, clock(0))) {
      assertTrue(link.participant().holdsPrepared(ID).get(10, TimeUnit.SECONDS));
      server.close();
      CompletableFuture<Void> commit =
          link.participant().commitPrepared(ID, HlcTimestamp.ofMillis(5)).done();
      server = server();
      server.start(address);
      commit.get(20, TimeUnit.SECONDS);
      assertTrue(participant.calls.contains("commit 5.0"));
    }
  }

  @Test
  void garbageEndsTheConnectionAndNothingElse() throws Exception {
    try (Socket socket = new Socket(address.getAddress(), address.getPort())) {
      socket.setSoTimeout(10_000);
      socket.getOutputStream().write("GET / HTTP/1.1\r\nHost: example\r\n\r\n".getBytes(US_ASCII));
      drain(socket.getInputStream());
    }
    try (RemoteDnLink link = link(DN, SECRET, clock(0))) {
      assertTrue(link.participant().holdsPrepared(ID).get(10, TimeUnit.SECONDS));
    }
    assertFalse(participant.calls.isEmpty());
  }

  /** Reads to the end of the stream: it must come. */
  private static void drain(InputStream in) throws IOException {
    byte[] bytes = new byte[512];
    int got = 0;
    while (got >= 0) {
      got = in.read(bytes);
    }
  }
}
