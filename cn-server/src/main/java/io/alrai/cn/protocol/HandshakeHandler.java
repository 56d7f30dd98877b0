package io.alrai.cn.protocol;

import io.alrai.cn.compress.CompressedPackets;
import io.alrai.cn.compress.Compression;
import io.alrai.cn.settings.ClientIdentity;
import io.alrai.cn.settings.SettingsRegistry;
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
 * GREETED -> (ENCRYPTED ->)? RESPONDED -> {@link PasswordDialog} -> accepted | refused
 * </pre>
 *
 * A client that wants TLS sends the first 32 bytes of its response in the clear, with CLIENT_SSL
 * among its capabilities, and all of it again encrypted (protocol documentation, SSLRequest). What
 * follows those 32 bytes is TLS already, even when it comes together with them. Clients that have
 * not logged in within connect_timeout are disconnected.
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

  /** The most bytes of one packet: names, a proof and attributes of the connection. */
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
  private final byte[] nonce = Nonces.next();
  private @Nullable HandshakeResponse response;
  private @Nullable PasswordDialog dialog;

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
    PasswordDialog begun = dialog;
    if (begun != null && begun.busy()) { // what comes now is for whoever takes the channel over
      if (in.readableBytes() > MOST_BYTES) {
        ctx.close();
      }
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
    PasswordDialog begun = dialog;
    if (begun != null) {
      byte[] answer = new byte[payload.readableBytes()];
      payload.readBytes(answer);
      begun.answer(answer);
      return;
    }
    HandshakeResponse known = HandshakeResponse.parse(payload);
    response = known;
    String host = proxiedFrom.isEmpty() ? peer(ctx) : proxiedFrom;
    boolean changesExpired = (known.capabilities() & Capability.EXPIRED_PASSWORDS) != 0;
    begun =
        new PasswordDialog(
            authentication,
            new LoginAttempt(known.user(), host, encrypted, changesExpired),
            new Peer(ctx, known));
    dialog = begun;
    boolean switches = (known.capabilities() & Capability.PLUGIN_AUTH) != 0;
    String plugin = switches ? known.plugin() : Scramble.NATIVE;
    begun.begin(plugin, switches, nonce, known.proof());
  }

  /** The client's side of the dialog about its password. */
  private final class Peer implements PasswordDialog.Peer {
    private final ChannelHandlerContext ctx;
    private final HandshakeResponse known;

    Peer(ChannelHandlerContext ctx, HandshakeResponse known) {
      this.ctx = ctx;
      this.known = known;
    }

    @Override
    public void send(byte[] payload) {
      ByteBuf out = ctx.alloc().buffer(payload.length + Packets.HEADER);
      int header = Packets.begin(out, sequence + 1);
      out.writeBytes(payload);
      Packets.end(out, header);
      ctx.writeAndFlush(out, ctx.voidPromise());
    }

    @Override
    public void accepted(ClientIdentity identity, boolean proved) {
      if (open()) {
        try {
          accept(ctx, known, identity, proved);
        } catch (AlraiException e) {
          refuse(ctx, e);
        }
      }
    }

    @Override
    public void refused(AlraiException reason) {
      refuse(ctx, reason);
    }

    @Override
    public void later(long millis, Runnable step) {
      if (millis == 0) {
        ctx.executor().execute(step);
      } else {
        ctx.executor().schedule(step, millis, TimeUnit.MILLISECONDS);
      }
    }

    @Override
    public boolean open() {
      return ctx.channel().isActive();
    }
  }

  private void accept(
      ChannelHandlerContext ctx, HandshakeResponse known, ClientIdentity identity, boolean proved) {
    settings.transport().demand(encrypted);
    ClientCapabilities agreed =
        new ClientCapabilities(known.capabilities() & ClientCapabilities.OFFERED);
    Compression compression = Compression.asked(agreed.flags(), known.zstdLevel());
    ByteBuf out = ctx.alloc().buffer(64);
    if (proved) {
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
      PasswordDialog begun = dialog;
      if (begun != null) {
        begun.left();
      }
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
