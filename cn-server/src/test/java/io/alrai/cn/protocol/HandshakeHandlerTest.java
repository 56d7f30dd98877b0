package io.alrai.cn.protocol;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.alrai.cn.settings.GlobalVariables;
import io.alrai.cn.settings.SecureTransport;
import io.alrai.cn.settings.SettingsRegistry;
import io.alrai.cn.tls.EndpointTls;
import io.alrai.cn.tls.TlsChoice;
import io.alrai.common.metrics.Metrics;
import io.alrai.common.wire.Capability;
import io.alrai.common.wire.Packets;
import io.alrai.gms.api.Account;
import io.alrai.gms.api.Catalog;
import io.alrai.gms.api.Credential;
import io.alrai.gms.api.Grants;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.embedded.EmbeddedChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Logins up to the point where TLS begins, and those that fail. */
class HandshakeHandlerTest {
  private static final int BASIC =
      Capability.PROTOCOL_41 | Capability.SECURE_CONNECTION | Capability.PLUGIN_AUTH;
  private static final Catalog CATALOG =
      new Catalog(
          0,
          Map.of(),
          List.of(),
          List.of(),
          Map.of(
              "root@%",
              Account.of("root", "%", Credential.NONE, false, Grants.ALL),
              "ann@%",
              Account.of("ann", "%", Credential.of("x"), false, Grants.NONE)),
          Map.of(),
          Map.of());

  @TempDir private Path directory;

  private final LoginCounts counts = LoginCounts.of(new Metrics());
  private Optional<EndpointTls> tls = Optional.empty();
  private final List<Runnable> slow = new ArrayList<>();
  private final Authentication authentication =
      new Authentication(() -> CATALOG, () -> 0, false, slow::add, command -> {}, counts);
  private int accepted;

  @AfterEach
  void close() {
    tls.ifPresent(EndpointTls::close);
  }

  private EmbeddedChannel connect(TlsChoice choice) {
    tls = EndpointTls.open(choice, directory);
    SecureTransport transport =
        new SecureTransport(tls, choice.use() == TlsChoice.Use.REQUIRED, false);
    return new EmbeddedChannel(
        new HandshakeHandler(
            "9.7.4",
            7,
            authentication,
            new SettingsRegistry(transport, new GlobalVariables(Map::of)),
            counts,
            (ctx, identity, capabilities, compression, collation, schema) -> accepted++));
  }

  private static TlsChoice none() {
    return TlsChoice.of("no", "", "", "");
  }

  private static int offered(EmbeddedChannel channel) {
    ByteBuf greeting = channel.readOutbound();
    try {
      int lower = Packets.HEADER + 1 + "9.7.4".length() + 1 + 4 + 8 + 1;
      return greeting.getUnsignedShortLE(lower) | greeting.getUnsignedShortLE(lower + 5) << 16;
    } finally {
      greeting.release();
    }
  }

  private static void begin(ByteBuf out, int sequence, int capabilities) {
    out.writeMediumLE(0).writeByte(sequence);
    out.writeIntLE(capabilities).writeIntLE(1 << 24).writeByte(255).writeZero(23);
  }

  private static ByteBuf sslRequest() {
    ByteBuf out = Unpooled.buffer();
    begin(out, 1, BASIC | Capability.SSL);
    return out.setMediumLE(0, 32);
  }

  private static ByteBuf response(byte[] proof) {
    return response("root", proof);
  }

  private static ByteBuf response(String user, byte[] proof) {
    ByteBuf out = Unpooled.buffer();
    begin(out, 1, BASIC);
    out.writeCharSequence(user, StandardCharsets.US_ASCII);
    out.writeByte(0).writeByte(proof.length).writeBytes(proof);
    out.writeCharSequence("caching_sha2_password", StandardCharsets.US_ASCII);
    out.writeByte(0);
    return out.setMediumLE(0, out.writerIndex() - Packets.HEADER);
  }

  private static int error(EmbeddedChannel channel) {
    ByteBuf packet = channel.readOutbound();
    try {
      assertEquals(0xff, packet.getUnsignedByte(Packets.HEADER));
      return packet.getUnsignedShortLE(Packets.HEADER + 1);
    } finally {
      packet.release();
    }
  }

  @Test
  void tlsIsOfferedWhereThereIsSome() {
    EmbeddedChannel without = connect(none());
    assertEquals(ClientCapabilities.OFFERED, offered(without));
    without.finishAndReleaseAll();
    EmbeddedChannel with = connect(TlsChoice.OWN);
    assertEquals(ClientCapabilities.OFFERED | Capability.SSL, offered(with));
    with.finishAndReleaseAll();
    assertEquals(2, counts.aborted().sum());
  }

  @Test
  void whoLeavesWhenAskedForThePasswordIsCounted() {
    for (int i = 0; i < 4; i++) {
      assertEquals(0, counts.delayed().sum());
      EmbeddedChannel channel = connect(none());
      channel.writeInbound(response("ann", new byte[32]));
      channel.finishAndReleaseAll();
    }
    assertEquals(1, counts.delayed().sum());
  }

  @Test
  void whatIsNoLoginIsNotWaitedFor() {
    EmbeddedChannel channel = connect(none());
    offered(channel);
    channel.writeInbound(Unpooled.buffer().writeMediumLE((64 << 10) + 1).writeByte(1));
    assertFalse(channel.isOpen());
  }

  @Test
  void whoWantsTlsWhereThereIsNoneIsRefused() {
    EmbeddedChannel channel = connect(none());
    offered(channel);
    channel.writeInbound(sslRequest());
    assertEquals(1043, error(channel));
    assertFalse(channel.isOpen());
    assertEquals(1, counts.aborted().sum());
  }

  @Test
  void whoIsAcceptedIsNotAborted() {
    EmbeddedChannel channel = connect(TlsChoice.OWN);
    offered(channel);
    channel.writeInbound(response(new byte[0]));
    assertEquals(1, accepted);
    channel.finishAndReleaseAll();
    assertEquals(0, counts.aborted().sum());
  }

  @Test
  void whoMustHaveTlsAndHasNotIsRefused() {
    EmbeddedChannel channel = connect(TlsChoice.of("required", "", "", ""));
    offered(channel);
    channel.writeInbound(response(new byte[0]));
    assertEquals(3159, error(channel));
    assertEquals(0, accepted);
    assertFalse(channel.isOpen());
  }

  @Test
  void nothingBehindARefusalIsHeard() {
    EmbeddedChannel channel = connect(none());
    offered(channel);
    ByteBuf emptyProof = Unpooled.buffer().writeMediumLE(0).writeByte(3);
    channel.writeInbound(
        Unpooled.wrappedBuffer(
            response("a wrong proof".getBytes(StandardCharsets.US_ASCII)), emptyProof));
    assertEquals(1045, error(channel));
    assertEquals(0, accepted);
    channel.finishAndReleaseAll();
  }

  @Test
  void whatIsReadWithTheRequestGoesThroughTls() {
    EmbeddedChannel channel = connect(TlsChoice.OWN);
    offered(channel);
    channel.writeInbound(Unpooled.wrappedBuffer(sslRequest(), response(new byte[0])));
    assertEquals(0, accepted);
    assertFalse(channel.isOpen());
    assertEquals(1, counts.tlsAccepts().sum());
    assertEquals(0, counts.tlsFinishedAccepts().sum());
    channel.releaseOutbound();
  }

  @Test
  void aLoginHasALimitedTime() {
    EmbeddedChannel channel = connect(TlsChoice.OWN);
    channel.freezeTime();
    offered(channel);
    channel.writeInbound(sslRequest());
    channel.advanceTimeBy(4, TimeUnit.SECONDS);
    channel.runScheduledPendingTasks();
    assertTrue(channel.isOpen());
    channel.advanceTimeBy(7, TimeUnit.SECONDS);
    channel.runScheduledPendingTasks();
    assertFalse(channel.isOpen());
    assertEquals(1, counts.aborted().sum());
    channel.finishAndReleaseAll();
  }

  /** Up to where the password is compared on another thread. */
  private EmbeddedChannel comparing() {
    EmbeddedChannel channel = connect(none());
    offered(channel);
    channel.writeInbound(response("ann", new byte[32]));
    ByteBuf asked = channel.readOutbound();
    assertEquals(0x0401, asked.getUnsignedShortLE(Packets.HEADER));
    asked.release();
    channel.writeInbound(Unpooled.buffer().writeMediumLE(256).writeByte(3).writeZero(256));
    assertEquals(1, slow.size());
    return channel;
  }

  @Test
  void whatComesWhileAPasswordIsComparedWaits() {
    EmbeddedChannel channel = comparing();
    channel.writeInbound(Unpooled.buffer().writeMediumLE(1).writeByte(0).writeByte(14));
    assertNull(channel.readOutbound());
    slow.removeFirst().run();
    channel.runPendingTasks();
    assertEquals(1045, error(channel));
    assertFalse(channel.isOpen());
    assertEquals(0, accepted);
  }

  @Test
  void nobodySendsMuchWhileAPasswordIsCompared() {
    EmbeddedChannel channel = comparing();
    channel.writeInbound(Unpooled.buffer().writeZero((64 << 10) + 1));
    assertFalse(channel.isOpen());
    slow.removeFirst().run();
    assertEquals(0, counts.passwords().sum());
    assertNull(channel.readOutbound());
  }
}
