package io.alrai.dn.rpc;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.alrai.common.certificate.Certificates;
import io.alrai.common.certificate.Pem;
import io.alrai.common.error.AlraiException;
import io.alrai.common.error.ErrorCode;
import io.alrai.common.id.DnId;
import io.alrai.common.id.NodeId;
import io.alrai.common.id.TransactionId;
import io.alrai.common.secret.ClusterSecret;
import io.alrai.common.secret.MemberTls;
import io.alrai.common.secret.MemberTls.Mode;
import io.alrai.common.secret.PrivateFiles;
import io.alrai.common.time.HlcTimestamp;
import io.alrai.common.time.HybridLogicalClock;
import io.alrai.dn.backend.PoolLimits;
import io.alrai.dn.clock.NodeClock;
import io.netty.channel.MultiThreadIoEventLoopGroup;
import io.netty.channel.epoll.EpollIoHandler;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Links with TLS and without to an agent with TLS and without, by real handshakes. */
final class EnvelopeTlsTest {
  private static final DnId DN = new DnId("dn-1");
  private static final TransactionId ID =
      new TransactionId(new NodeId("cn-1"), 1_700_000_000_000L, 1, DN);
  private static final String TEXT = ClusterSecret.fresh();

  @TempDir private Path directory;

  private final MultiThreadIoEventLoopGroup loops =
      new MultiThreadIoEventLoopGroup(2, EpollIoHandler.newFactory());
  private final FakeParticipant participant = new FakeParticipant();
  private Optional<AgentServer> server = Optional.empty();
  private InetSocketAddress address = InetSocketAddress.createUnresolved("nowhere", 0);

  @AfterEach
  void stop() {
    server.ifPresent(AgentServer::close);
    loops.shutdownGracefully(0, 1, TimeUnit.SECONDS).awaitUninterruptibly();
  }

  private static NodeClock clock() {
    return NodeClock.inMemory(new HybridLogicalClock(System::currentTimeMillis, 500));
  }

  private static ClusterSecret secret(Mode mode) {
    return new ClusterSecret(TEXT).with(new MemberTls(mode, Optional.empty()));
  }

  private static ClusterSecret secret(Mode mode, MemberTls.Files files) {
    return new ClusterSecret(TEXT).with(new MemberTls(mode, Optional.of(files)));
  }

  private void serve(ClusterSecret secret) {
    AgentServer fresh =
        LeadingServer.of(
            DN,
            secret,
            (loop, account, home, taker) ->
                taker.refused(
                    new AlraiException(ErrorCode.ALRAI_NODE_UNAVAILABLE, "the mysqld is down")),
            participant,
            new FakeViews(),
            new FakeLog(DN),
            clock(),
            loops);
    server = Optional.of(fresh);
    address = fresh.start(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));
  }

  private RemoteDnLink link(ClusterSecret secret) {
    return link(secret, 10_000);
  }

  private RemoteDnLink link(ClusterSecret secret, long askMillis) {
    return new RemoteDnLink(
        DN,
        () -> KnownMembers.alone(address),
        secret,
        new NodeId("cn-1"),
        clock(),
        loops,
        new PoolLimits(2, 4, Duration.ofMillis(300).toNanos()),
        askMillis);
  }

  private void works(ClusterSecret secret) throws Exception {
    try (RemoteDnLink link = link(secret)) {
      assertTrue(link.participant().holdsPrepared(ID).get(20, TimeUnit.SECONDS));
    }
  }

  private String refused(ClusterSecret secret) throws Exception {
    long begin = System.nanoTime();
    try (RemoteDnLink link = link(secret, 500)) {
      CompletableFuture<Boolean> call = link.participant().holdsPrepared(ID);
      ExecutionException failed =
          assertThrows(ExecutionException.class, () -> call.get(20, TimeUnit.SECONDS));
      AlraiException reason = assertInstanceOf(AlraiException.class, failed.getCause());
      assertEquals(ErrorCode.ALRAI_NODE_UNAVAILABLE.errno(), reason.errno());
      assertTrue(System.nanoTime() - begin < TimeUnit.SECONDS.toNanos(12), "it hung");
      return reason.sentence();
    }
  }

  private Certificates.Owned authority() throws Exception {
    return new Certificates(new SecureRandom(), Instant.now()).authority("a cluster's CA");
  }

  private MemberTls.Files files(
      String name, Certificates.Owned ca, Function<Instant, Instant> now, Duration valid)
      throws Exception {
    MemberTls.Files files =
        new MemberTls.Files(
            directory.resolve(name + ".pem"),
            directory.resolve(name + "-key.pem"),
            directory.resolve("ca-of-" + name + ".pem"));
    Certificates.Owned own =
        new Certificates(new SecureRandom(), now.apply(Instant.now()), valid).member(ca, name);
    Files.writeString(files.authority(), pem(ca));
    PrivateFiles.write(files.key(), new Pem("PRIVATE KEY", own.key().getEncoded()).text());
    Files.writeString(files.certificate(), pem(own));
    return files;
  }

  private static String pem(Certificates.Owned of) throws Exception {
    return new Pem("CERTIFICATE", of.certificate().getEncoded()).text();
  }

  private MemberTls.Files files(String name, Certificates.Owned ca) throws Exception {
    return files(name, ca, now -> now, Duration.ofDays(1));
  }

  @Test
  void byTheSecretAlone() throws Exception {
    serve(secret(Mode.REQUIRE));
    works(secret(Mode.REQUIRE));
    String other =
        refused(
            new ClusterSecret(ClusterSecret.fresh())
                .with(new MemberTls(Mode.REQUIRE, Optional.empty())));
    assertTrue(other.contains("TLS"), other);
  }

  /** Each step with the step before it and with itself, in both directions. */
  @Test
  void clustersComeToTlsStepByStep() throws Exception {
    MemberTls.Files files = files("node-1", authority());
    for (int step = 0; step < Mode.values().length; step++) {
      for (int neighbour = Math.max(0, step - 1);
          neighbour <= Math.min(step + 1, Mode.REQUIRE.ordinal());
          neighbour++) {
        serve(secret(Mode.values()[step], files));
        works(secret(Mode.values()[neighbour], files));
        server.ifPresent(AgentServer::close);
      }
    }
  }

  @Test
  void aCallerInTheClearHearsWhy() throws Exception {
    serve(secret(Mode.REQUIRE));
    String reason = refused(secret(Mode.NO));
    assertTrue(reason.contains("takes TLS only"), reason);
    assertTrue(participant.calls.isEmpty());
  }

  @Test
  void aCallerWithTlsHearsThatThereIsNone() throws Exception {
    serve(secret(Mode.NO));
    String reason = refused(secret(Mode.REQUIRE));
    assertTrue(reason.contains("speaks in the clear"), reason);
    assertTrue(participant.calls.isEmpty());
  }

  @Test
  void anotherCasCertificateIsRefusedOnBothSides() throws Exception {
    Certificates.Owned ours = authority();
    serve(secret(Mode.REQUIRE, files("dn-1", ours)));
    works(secret(Mode.REQUIRE, files("cn-1", ours)));
    String reason = refused(secret(Mode.REQUIRE, files("cn-2", authority())));
    assertTrue(reason.contains("TLS") && reason.contains("CA does not vouch for"), reason);
    // with the CA required, one by the secret is not enough
    reason = refused(secret(Mode.REQUIRE));
    assertTrue(reason.contains("TLS"), reason);
  }

  @Test
  void anEndedCertificateIsRefusedAndARenewedOneIsReadAnew() throws Exception {
    Certificates.Owned ca = authority();
    serve(secret(Mode.REQUIRE, files("dn-1", ca)));
    MemberTls.Files ended =
        files("cn-1", ca, now -> now.minus(Duration.ofDays(3)), Duration.ofDays(1));
    ClusterSecret caller = secret(Mode.REQUIRE, ended);
    String reason = refused(caller);
    assertTrue(reason.contains("TLS"), reason);
    files("cn-1", ca);
    long begin = System.nanoTime();
    Throwable last = null;
    while (System.nanoTime() - begin < TimeUnit.SECONDS.toNanos(20)) {
      try {
        works(caller);
        return;
      } catch (ExecutionException e) {
        last = e; // the files are looked at once a second
      }
    }
    throw new AssertionError("the renewed certificate is not used", last);
  }

  @Test
  void whoStopsInTheHandshakeIsLeft() throws Exception {
    serve(secret(Mode.REQUIRE));
    byte[] beginOfHello = {0x16, 0x03, 0x01, 0x02, 0x00, 0x01};
    try (Socket socket = new Socket(address.getAddress(), address.getPort())) {
      socket.setSoTimeout(15_000);
      socket.getOutputStream().write(beginOfHello);
      InputStream in = socket.getInputStream();
      int got = 0;
      while (got >= 0) {
        got = in.read(new byte[512]);
      }
    }
    works(secret(Mode.REQUIRE));
  }

  /** What a tap between the two hears has no name of a transaction in it. */
  @Test
  void aTapHearsNothing() throws Exception {
    serve(secret(Mode.ACCEPT));
    InetSocketAddress agent = address;
    try (Tap tap = new Tap(agent)) {
      address = tap.address();
      works(secret(Mode.NO));
      assertTrue(tap.heard().contains(ID.gtrid()), "in the clear it hears all");
    }
    try (Tap tap = new Tap(agent)) {
      address = tap.address();
      try (RemoteDnLink link = link(secret(Mode.PREFER))) {
        link.participant()
            .commitPrepared(ID, HlcTimestamp.ofMillis(5))
            .done()
            .get(20, TimeUnit.SECONDS);
      }
      assertTrue(tap.heard().length() > 500, "it was not used");
      assertFalse(tap.heard().contains(ID.gtrid()));
      assertFalse(tap.heard().contains("cn-1"));
    }
  }

  /** Passes on what two say to each other, and keeps it. */
  private static final class Tap implements AutoCloseable {
    private final ServerSocket listening = new ServerSocket(0, 8, InetAddress.getLoopbackAddress());
    private final ByteArrayOutputStream heard = new ByteArrayOutputStream();
    private final InetSocketAddress to;

    Tap(InetSocketAddress to) throws IOException {
      this.to = to;
      Thread.ofVirtual().start(this::accept);
    }

    InetSocketAddress address() {
      return (InetSocketAddress) listening.getLocalSocketAddress();
    }

    String heard() {
      synchronized (heard) {
        return heard.toString(StandardCharsets.ISO_8859_1);
      }
    }

    private void accept() {
      try {
        while (true) {
          Socket caller = listening.accept();
          Socket agent = new Socket(to.getAddress(), to.getPort());
          Thread.ofVirtual().start(() -> pass(caller, agent));
          Thread.ofVirtual().start(() -> pass(agent, caller));
        }
      } catch (IOException closed) {
        // the test has ended
      }
    }

    private void pass(Socket from, Socket other) {
      try (from;
          other) {
        byte[] bytes = new byte[4_096];
        OutputStream out = other.getOutputStream();
        for (int got = from.getInputStream().read(bytes);
            got >= 0;
            got = from.getInputStream().read(bytes)) {
          synchronized (heard) {
            heard.write(bytes, 0, got);
          }
          out.write(bytes, 0, got);
        }
      } catch (IOException closed) {
        // one of both has gone
      }
    }

    @Override
    public void close() throws IOException {
      listening.close();
    }
  }
}
