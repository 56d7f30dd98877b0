package io.alrai.cn.protocol;

import io.alrai.cn.compress.CompressedPackets;
import io.alrai.cn.compress.Compression;
import io.alrai.cn.session.ClientIdentity;
import io.alrai.cn.session.SettingsRegistry;
import io.alrai.cn.tls.EndpointTls;
import io.alrai.common.error.AlraiException;
import io.alrai.common.error.ErrorCode;
import io.alrai.common.wire.Capability;
import io.alrai.common.wire.OkPacket;
import io.alrai.common.wire.Packets;
import io.alrai.common.wire.Scramble;
import io.alrai.common.wire.ServerStatus;
import io.netty.buffer.ByteBuf;
import io.netty.channel.ChannelHandlerContext;
import io.netty.handler.codec.ByteToMessageDecoder;
import io.netty.handler.codec.haproxy.HAProxyCommand;
import io.netty.handler.codec.haproxy.HAProxyMessage;
import io.netty.handler.ssl.SslHandler;
import io.netty.handler.ssl.SslHandshakeCompletionEvent;
import io.netty.util.NetUtil;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Greets a client and checks who it is. Event loop only.
 *
 * <pre>
 * GREETED -> (ENCRYPTED ->)? RESPONDED -> (SWITCHED ->)? accepted | refused
 * </pre>
 *
 * A client that wants TLS sends the first 32 bytes of its response in the clear, with CLIENT_SSL
 * among its capabilities, and all of it again encrypted (protocol documentation, SSLRequest). What
 * comes behind those 32 bytes is TLS already, also when it comes together with them. Who has not
 * logged in within connect_timeout is disconnected.
 */
public final class HandshakeHandler extends ByteToMessageDecoder {
  /** What happens with a client that is who it says. */
  public interface Acceptance {
    /**
     * Takes the channel over: replaces this handler. The OK packet is sent after this returns.
     *
     * @throws AlraiException a reason to refuse, for example an unknown schema
     */
    void accept(
        ChannelHandlerContext ctx,
        ClientIdentity identity,
        ClientCapabilities capabilities,
        Compression compression,
        int collationId,
        String schema);
  }

  private static final Logger log = LoggerFactory.getLogger(HandshakeHandler.class);

  /** Of one packet: names, a proof and attributes of the connection. */
  private static final int MOST_BYTES = 64 << 10;

  private final String serverVersion;
  private final int connectionId;
  private final Authentication authentication;
  private final SettingsRegistry settings;
  private final LoginCounts counts;
  private final Acceptance acceptance;
  private @Nullable Future<?> deadline;
  private boolean encrypted;
  private boolean over;
  private boolean accepted;
  private byte[] nonce = Nonces.next();
  private @Nullable HandshakeResponse response;
  private String plugin = Scramble.SHA2;

  /** The client's address by a load balancer; empty where there is none. */
  private String proxiedFrom = "";

  private final LoginBytes bytes = new LoginBytes();
  private final LoginBytes records = new LoginBytes();
  private int sequence;

  /**
   * A handler for one new connection.
   *
   * @param settings of the CN: its TLS, and how long a login may take
   */
  public HandshakeHandler(
      String serverVersion,
      int connectionId,
      Authentication authentication,
      SettingsRegistry settings,
      LoginCounts counts,
      Acceptance acceptance) {
    this.serverVersion = serverVersion;
    this.connectionId = connectionId;
    this.authentication = authentication;
    this.settings = settings;
    this.counts = counts;
    this.acceptance = acceptance;
    setCumulator(bytes);
  }

  @Override
  public void channelActive(ChannelHandlerContext ctx) {
    deadline =
        ctx.executor()
            .schedule(
                () -> {
                  ctx.close();
                },
                settings.connectTimeoutSeconds(),
                TimeUnit.SECONDS);
    int offered =
        ClientCapabilities.OFFERED | (settings.transport().tls().isPresent() ? Capability.SSL : 0);
    ByteBuf out = ctx.alloc().buffer(128);
    int header = Packets.begin(out, 0);
    out.writeByte(10);
    out.writeCharSequence(serverVersion, StandardCharsets.UTF_8);
    out.writeByte(0).writeIntLE(connectionId).writeBytes(nonce, 0, 8).writeByte(0);
    out.writeShortLE(offered & 0xffff).writeByte(255);
    out.writeShortLE(ServerStatus.AUTOCOMMIT);
    out.writeShortLE(offered >>> 16);
    out.writeByte(Nonces.LENGTH + 1)
        .writeZero(10)
        .writeBytes(nonce, 8, Nonces.LENGTH - 8)
        .writeByte(0);
    out.writeCharSequence(Scramble.SHA2, StandardCharsets.UTF_8);
    out.writeByte(0);
    Packets.end(out, header);
    ctx.writeAndFlush(out, ctx.voidPromise());
  }

  /** A trusted load balancer says whose connection it is; of its own ones it says nothing. */
  @Override
  public void channelRead(ChannelHandlerContext ctx, Object message) throws Exception {
    if (message instanceof HAProxyMessage header) {
      proxiedFrom = source(header);
      header.release();
      return;
    }
    super.channelRead(ctx, message);
  }

  @Override
  protected void decode(ChannelHandlerContext ctx, ByteBuf in, List<Object> out) {
    if (over) {
      in.skipBytes(in.readableBytes());
      return;
    }
    if (in.readableBytes() < Packets.HEADER) {
      return;
    }
    int length = in.getUnsignedMediumLE(in.readerIndex());
    if (length > MOST_BYTES) {
      ctx.close();
      return;
    }
    if (in.readableBytes() < length + Packets.HEADER) {
      return;
    }
    sequence = in.getUnsignedByte(in.readerIndex() + 3);
    ByteBuf payload = in.skipBytes(Packets.HEADER).readSlice(length);
    try {
      if (response == null && !encrypted && wantsTls(payload)) {
        encrypt(ctx, in);
      } else {
        step(ctx, payload);
      }
    } catch (AlraiException e) {
      refuse(ctx, e);
    }
  }

  private static boolean wantsTls(ByteBuf payload) {
    return payload.readableBytes() >= 4
        && (payload.getIntLE(payload.readerIndex()) & Capability.SSL) != 0;
  }

  /** From here on the channel's bytes are TLS; those that are there already too. */
  private void encrypt(ChannelHandlerContext ctx, ByteBuf in) {
    EndpointTls tls =
        settings
            .transport()
            .tls()
            .orElseThrow(() -> new AlraiException(ErrorCode.ER_HANDSHAKE_ERROR, "Bad handshake"));
    encrypted = true;
    counts.tlsAccepts().increment();
    SslHandler handler = tls.handler(ctx.channel());
    handler.setCumulator(records);
    ctx.pipeline().addFirst("tls", handler);
    if (in.isReadable()) {
      ctx.pipeline().fireChannelRead(in.readRetainedSlice(in.readableBytes()));
    }
  }

  private void step(ChannelHandlerContext ctx, ByteBuf payload) {
    HandshakeResponse known = response;
    if (known == null) {
      known = HandshakeResponse.parse(payload);
      response = known;
      if (known.plugin().equals(Scramble.NATIVE)) {
        plugin = Scramble.NATIVE;
      } else if (!known.plugin().equals(Scramble.SHA2)
          && (known.capabilities() & Capability.PLUGIN_AUTH) != 0) {
        switchTo(ctx, Scramble.SHA2);
        return;
      } else if (known.plugin().isEmpty()) {
        switchTo(ctx, Scramble.NATIVE);
        return;
      }
      check(ctx, known, proof(known.proof()));
      return;
    }
    byte[] proof = new byte[payload.readableBytes()];
    payload.readBytes(proof);
    check(ctx, known, proof(proof));
  }

  /** Clients say "no password" with no byte or with a single zero. */
  private static byte[] proof(byte[] sent) {
    return sent.length == 1 && sent[0] == 0 ? new byte[0] : sent;
  }

  private void switchTo(ChannelHandlerContext ctx, String wanted) {
    plugin = wanted;
    nonce = Nonces.next();
    ByteBuf out = ctx.alloc().buffer(64);
    int header = Packets.begin(out, sequence + 1);
    out.writeByte(0xfe);
    out.writeCharSequence(plugin, StandardCharsets.UTF_8);
    out.writeByte(0).writeBytes(nonce).writeByte(0);
    Packets.end(out, header);
    ctx.writeAndFlush(out, ctx.voidPromise());
  }

  private void check(ChannelHandlerContext ctx, HandshakeResponse known, byte[] proof) {
    String host = proxiedFrom.isEmpty() ? peer(ctx) : proxiedFrom;
    ClientIdentity identity =
        authentication.check(
            known.user(),
            host,
            plugin,
            nonce,
            proof,
            (known.capabilities() & Capability.EXPIRED_PASSWORDS) != 0);
    settings.transport().demand(encrypted);
    ClientCapabilities agreed =
        new ClientCapabilities(known.capabilities() & ClientCapabilities.OFFERED);
    Compression compression = Compression.asked(agreed.flags(), known.zstdLevel());
    ByteBuf out = ctx.alloc().buffer(64);
    if (plugin.equals(Scramble.SHA2) && proof.length > 0) {
      int header = Packets.begin(out, ++sequence);
      out.writeByte(1).writeByte(3);
      Packets.end(out, header);
    }
    int status = settings.globals().isOn("autocommit", true) ? ServerStatus.AUTOCOMMIT : 0;
    Packets.writeOk(out, sequence + 1, new OkPacket(0, 0, status, 0, ""));
    try {
      acceptance.accept(ctx, identity, agreed, compression, known.collationId(), known.schema());
    } catch (AlraiException e) {
      out.release();
      throw e;
    }
    accepted = true;
    SslHandler tls = ctx.pipeline().get(SslHandler.class);
    if (tls != null) {
      tls.setCumulator(MERGE_CUMULATOR);
    }
    ctx.writeAndFlush(out, ctx.voidPromise());
    if (compression.on()) {
      ctx.pipeline().addBefore(ctx.name(), "compression", new CompressedPackets(compression));
    }
    ctx.pipeline().remove(this);
  }

  private static String source(HAProxyMessage header) {
    String source = header.sourceAddress();
    InetAddress known =
        source == null || header.command() == HAProxyCommand.LOCAL
            ? null
            : NetUtil.createInetAddressFromIpAddressString(source);
    return known == null ? "" : known.getHostAddress();
  }

  private static String peer(ChannelHandlerContext ctx) {
    return ctx.channel().remoteAddress() instanceof InetSocketAddress address
        ? address.getAddress().getHostAddress()
        : "localhost";
  }

  private void refuse(ChannelHandlerContext ctx, AlraiException reason) {
    over = true;
    ByteBuf out = ctx.alloc().buffer(128);
    Packets.writeErr(out, sequence + 1, reason.errno(), reason.sqlState(), reason.sentence());
    ctx.writeAndFlush(out).addListener(done -> ctx.close());
  }

  @Override
  public void userEventTriggered(ChannelHandlerContext ctx, Object event) throws Exception {
    if (event instanceof SslHandshakeCompletionEvent handshake) {
      if (handshake.isSuccess()) {
        counts.tlsFinishedAccepts().increment();
      } else {
        log.debug("{}: no TLS: {}", ctx.channel().remoteAddress(), handshake.cause().toString());
      }
    }
    super.userEventTriggered(ctx, event);
  }

  /** It has done its work, or the channel is closed. */
  @Override
  protected void handlerRemoved0(ChannelHandlerContext ctx) {
    Future<?> pending = deadline;
    if (pending != null) {
      pending.cancel(false);
    }
    bytes.close();
    records.close();
    if (!accepted) {
      counts.aborted().increment();
    }
  }

  @Override
  public void exceptionCaught(ChannelHandlerContext ctx, Throwable cause) {
    if (cause instanceof Error) { // all else may be the client's doing
      log.error("{}: a login ends by a defect", ctx.channel().remoteAddress(), cause);
    }
    ctx.close();
  }
}
