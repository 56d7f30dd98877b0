package io.alrai.dn.rpc;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.alrai.common.error.AlraiException;
import io.alrai.common.error.ErrorCode;
import io.alrai.common.id.DnId;
import io.alrai.common.id.NodeId;
import io.alrai.common.secret.ClusterSecret;
import io.alrai.common.time.HlcTimestamp;
import io.alrai.common.time.HybridLogicalClock;
import io.alrai.dn.backend.BackendConnector;
import io.alrai.dn.backend.Eventually;
import io.alrai.dn.backend.PipelinedBranch;
import io.alrai.dn.backend.PoolLimits;
import io.alrai.dn.clock.NodeClock;
import io.alrai.dn.clock.WallTime;
import io.alrai.dn.link.BackendAccount;
import io.alrai.dn.link.BranchTaker;
import io.alrai.dn.rpc.wire.KnownGenerations;
import io.alrai.dn.rpc.wire.Message;
import io.alrai.dn.rpc.wire.MessageCodec;
import io.alrai.dn.rpc.wire.Proofs;
import io.alrai.dn.rpc.wire.Purpose;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufUtil;
import io.netty.buffer.Unpooled;
import io.netty.channel.EventLoop;
import io.netty.channel.MultiThreadIoEventLoopGroup;
import io.netty.channel.epoll.EpollIoHandler;
import java.io.DataInputStream;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/**
 * A caller and an agent of version 18, played by bytes of that version, and what those of this
 * release say to them.
 */
final class OlderPeersTest {
  private static final DnId DN = new DnId("dn-1");
  private static final NodeId CN = new NodeId("cn-1");
  private static final ClusterSecret SECRET = new ClusterSecret("open sesame, but at more length");
  private static final int HEADER = 28;
  private static final int CHALLENGE = 1;
  private static final int HELLO = 2;
  private static final int WELCOME = 3;
  private static final int PING = 18;
  private static final int DONE = 21;
  private static final int PULSE_IS = 49;
  private static final int ERROR = 31;

  private final MultiThreadIoEventLoopGroup loops =
      new MultiThreadIoEventLoopGroup(2, EpollIoHandler.newFactory());
  private final Proofs proofs = new Proofs(SECRET);
  private volatile boolean mysqldAnswers = true;

  /** Never asked for a connection. */
  private final BackendConnector mysqld =
      new BackendConnector() {
        @Override
        public void open(
            EventLoop loop, BackendAccount account, PipelinedBranch.Home home, BranchTaker taker) {
          taker.refused(new AlraiException(ErrorCode.ALRAI_NODE_UNAVAILABLE, "no mysqld"));
        }

        @Override
        public boolean answers() {
          return mysqldAnswers;
        }
      };

  /** One frame. */
  private record Frame(int kind, int call, ByteBuf payload) {
    static Frame read(DataInputStream in) throws IOException {
      int length = in.readInt();
      int kind = in.readUnsignedByte();
      assertEquals(0, in.readUnsignedByte() + in.readUnsignedShort(), "flags and reserved");
      int call = in.readInt();
      in.skipNBytes(HEADER - 12);
      return new Frame(kind, call, Unpooled.wrappedBuffer(in.readNBytes(length)));
    }
  }

  @AfterEach
  void stop() {
    loops.shutdownGracefully(0, 1, TimeUnit.SECONDS).awaitUninterruptibly();
  }

  private static NodeClock clock() {
    return NodeClock.inMemory(new HybridLogicalClock(WallTime.withOffset(0), 500));
  }

  private AgentServer server() {
    return LeadingServer.of(
        DN,
        SECRET,
        mysqld,
        new FakeParticipant(),
        new FakeViews(),
        new FakeLog(DN),
        clock(),
        loops);
  }

  private RemoteDnLink link(InetSocketAddress address) {
    return new RemoteDnLink(
        DN,
        () -> KnownMembers.alone(address),
        SECRET,
        CN,
        clock(),
        loops,
        new PoolLimits(2, 4, Duration.ofMillis(300).toNanos()),
        100);
  }

  private static void send(Socket to, Message message, int call) throws IOException {
    ByteBuf out = Unpooled.buffer();
    MessageCodec.write(
        out, message, call, HlcTimestamp.ofMillis(System.currentTimeMillis()).value(), 0);
    to.getOutputStream().write(ByteBufUtil.getBytes(out));
  }

  private static Message.Nonce nonce(ByteBuf in) {
    byte[] bytes = new byte[Message.SECRET_BYTES];
    in.readBytes(bytes);
    return new Message.Nonce(bytes);
  }

  /** Says hello over a new connection, in that version. */
  private Frame hello(Socket socket, DataInputStream in, int version) throws IOException {
    socket.setSoTimeout(20_000);
    Frame challenge = Frame.read(in);
    assertEquals(CHALLENGE, challenge.kind());
    assertEquals(18, challenge.payload().readUnsignedShort(), "what a caller of 18 demands");
    assertEquals(19, challenge.call(), "which it does not look at");
    Message.Nonce agents = nonce(challenge.payload());
    Message.Nonce own = Proofs.nonce();
    KnownGenerations known = new KnownGenerations(0, 0, "");
    Message.Nonce proof = proofs.hello(agents, own, Purpose.CONTROL, CN, known);
    send(socket, new Message.Hello(version, Purpose.CONTROL, own, proof, CN, known), 0);
    return Frame.read(in);
  }

  @Test
  void aCallerOf18IsServedAsByAnAgentOf18() throws Exception {
    try (AgentServer server = server()) {
      InetSocketAddress at =
          server.start(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));
      try (Socket socket = new Socket(at.getAddress(), at.getPort());
          DataInputStream in = new DataInputStream(socket.getInputStream())) {
        assertEquals(WELCOME, hello(socket, in, 18).kind());
        send(socket, new Message.Ping(), 7);
        Frame reply = Frame.read(in);
        assertEquals(DONE, reply.kind());
        assertEquals(7, reply.call());
        // it does not know that kind, and nobody may say it to it
        send(socket, new Message.PulseIs(true), 8);
        assertEquals(ERROR, Frame.read(in).kind());
      }
    }
  }

  @Test
  void aCallerOf19IsToldOfTheMysqld() throws Exception {
    try (AgentServer server = server()) {
      InetSocketAddress at =
          server.start(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));
      try (Socket socket = new Socket(at.getAddress(), at.getPort());
          DataInputStream in = new DataInputStream(socket.getInputStream())) {
        assertEquals(WELCOME, hello(socket, in, 19).kind());
        send(socket, new Message.Ping(), 7);
        Frame reply = Frame.read(in);
        assertEquals(PULSE_IS, reply.kind());
        assertTrue(reply.payload().readBoolean());
      }
      try (RemoteDnLink link = link(at)) {
        mysqldAnswers = false;
        Eventually.await("word of the mysqld", () -> !link.mysqldAnswers());
        assertTrue(link.answers(), "its agent does");
        mysqldAnswers = true;
        Eventually.await("word of the mysqld", link::mysqldAnswers);
      }
    }
  }

  @Test
  void aCallerThatIsTooOldIsToldSo() throws Exception {
    try (AgentServer server = server()) {
      InetSocketAddress at =
          server.start(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));
      try (Socket socket = new Socket(at.getAddress(), at.getPort());
          DataInputStream in = new DataInputStream(socket.getInputStream())) {
        Frame refusal = hello(socket, in, 17);
        assertEquals(ERROR, refusal.kind());
        String why = refusal.payload().toString(StandardCharsets.UTF_8);
        assertTrue(why.contains("upgrade cn-1 first"), why);
      }
    }
  }

  /** What a caller does with it. */
  @Test
  void anAgentOf18IsSpokenToAsByACallerOf18() throws Exception {
    try (ServerSocket agent = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      agent.setSoTimeout(20_000);
      try (RemoteDnLink link = link((InetSocketAddress) agent.getLocalSocketAddress());
          Socket socket = agent.accept();
          DataInputStream in = new DataInputStream(socket.getInputStream())) {
        socket.setSoTimeout(20_000);
        Message.Nonce nonce = Proofs.nonce();
        send(socket, new Message.Challenge(18, nonce), 0);
        Frame hello = Frame.read(in);
        assertEquals(HELLO, hello.kind());
        assertEquals(18, hello.payload().readUnsignedShort());
        assertEquals(0, hello.payload().readUnsignedByte());
        Message.Nonce callers = nonce(hello.payload());
        send(socket, new Message.Welcome(proofs.welcome(callers, nonce, DN), 0, 0, DN), 0);
        for (int i = 0; i < 2; i++) {
          Frame ping = Frame.read(in);
          assertEquals(PING, ping.kind());
          send(socket, new Message.Done(), ping.call());
        }
        Eventually.await("its answer", link::answers);
        assertTrue(link.mysqldAnswers(), "it says nothing of it");
      }
    }
  }

  @Test
  void anAgentThatIsTooNewIsNotSpokenTo() throws Exception {
    try (ServerSocket agent = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      agent.setSoTimeout(20_000);
      try (RemoteDnLink link = link((InetSocketAddress) agent.getLocalSocketAddress());
          Socket socket = agent.accept()) {
        socket.setSoTimeout(20_000);
        send(socket, new Message.Challenge(20, Proofs.nonce()), 21);
        assertEquals(-1, socket.getInputStream().read(), "nothing is said, and it is closed");
        Eventually.await("the silence", () -> !link.answers());
        assertFalse(link.mysqldAnswers());
      }
    }
  }
}
