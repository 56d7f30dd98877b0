package io.alrai.dn.backend;

import io.alrai.common.error.AlraiException;
import io.alrai.common.error.ErrorCode;
import io.alrai.common.id.DnId;
import io.alrai.common.wire.Capability;
import io.alrai.common.wire.Command;
import io.alrai.common.wire.ErrPacket;
import io.alrai.common.wire.Lenenc;
import io.alrai.common.wire.Packets;
import io.alrai.common.wire.Scramble;
import io.alrai.dn.link.BackendAccount;
import io.alrai.dn.link.BranchTaker;
import io.alrai.dn.link.ReadWatch;
import io.netty.buffer.ByteBuf;
import io.netty.channel.ChannelHandlerContext;
import io.netty.handler.codec.ByteToMessageDecoder;
import io.netty.util.concurrent.ScheduledFuture;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Logs in to a mysqld over a socket of this host and then gives the channel to a {@link
 * PipelinedBranch}. The login has to be through within a bound. Event loop only.
 *
 * <pre>
 * GREETING -> PROOF -> (AUTH_SWITCH -> PROOF | MORE_DATA)* -> OK [-> KEEP_PREPARED -> OK]
 * </pre>
 */
final class LoginHandler extends ByteToMessageDecoder {
  /** What every branch speaks; FOUND_ROWS and MULTI_STATEMENTS come on top. */
  static final int CAPABILITIES =
      Capability.LONG_PASSWORD
          | Capability.LONG_FLAG
          | Capability.PROTOCOL_41
          | Capability.TRANSACTIONS
          | Capability.SECURE_CONNECTION
          | Capability.MULTI_RESULTS
          | Capability.PS_MULTI_RESULTS
          | Capability.PLUGIN_AUTH
          | Capability.PLUGIN_AUTH_LENENC
          | Capability.DEPRECATE_EOF
          | Capability.LOCAL_FILES;

  /** utf8mb4_0900_ai_ci. */
  static final int COLLATION = 255;

  private static final int MAX_PACKET = 1 << 30;
  private static final int NONCE_LENGTH = 20;

  /** From the connection to the end of the login; a stopped mysqld's socket connects, too. */
  private static final long MOST_MILLIS = 10_000;

  /** No packet of a login is longer. */
  private static final int MOST_BYTES = 64 << 10;

  /** The sequence number before that of a command. */
  private static final int NEW_COMMAND = -1;

  private static final byte[] KEEP_PREPARED =
      ((char) Command.QUERY + "SET SESSION xa_detach_on_prepare=OFF")
          .getBytes(StandardCharsets.US_ASCII);

  private final DnId dn;
  private final Credentials credentials;
  private final BackendAccount account;
  private final PipelinedBranch.Home home;
  private final ReadWatch watch;
  private final BranchTaker taker;
  private @Nullable ScheduledFuture<?> bound;

  /** Sequence number of the mysqld's next packet. */
  private int expected;

  private boolean greeted;
  private boolean keepsPrepared;
  private boolean finished;
  private long serverConnectionId;
  private byte[] nonce = new byte[0];
  private String plugin = Scramble.SHA2;

  LoginHandler(
      DnId dn,
      Credentials credentials,
      BackendAccount account,
      PipelinedBranch.Home home,
      ReadWatch watch,
      BranchTaker taker) {
    this.dn = dn;
    this.credentials = credentials;
    this.account = account;
    this.home = home;
    this.watch = watch;
    this.taker = taker;
  }

  @Override
  public void channelActive(ChannelHandlerContext ctx) {
    bound =
        ctx.executor()
            .schedule(
                () ->
                    refuse(
                        ctx,
                        new AlraiException(
                            ErrorCode.ALRAI_NODE_UNAVAILABLE,
                            "the mysqld of " + dn + " does not answer a login")),
                MOST_MILLIS,
                TimeUnit.MILLISECONDS);
    ctx.fireChannelActive();
  }

  @Override
  protected void decode(ChannelHandlerContext ctx, ByteBuf in, List<Object> out) {
    if (finished) {
      in.skipBytes(in.readableBytes());
      return;
    }
    if (in.readableBytes() < Packets.HEADER) {
      return;
    }
    int length = in.getUnsignedMediumLE(in.readerIndex());
    if (length <= MOST_BYTES && in.readableBytes() < length + Packets.HEADER) {
      return;
    }
    if (length > MOST_BYTES) {
      refuse(ctx, unexpected());
      return;
    }
    int sequence = in.getUnsignedByte(in.readerIndex() + 3);
    ByteBuf payload = in.skipBytes(Packets.HEADER).readSlice(length);
    // an error may come before its turn: too many connections, shutdown
    if (sequence != expected && (length == 0 || payload.getUnsignedByte(0) != 0xff)) {
      refuse(ctx, unexpected());
      return;
    }
    expected = sequence + 1;
    if (!greeted) {
      greeted = true;
      greeting(ctx, payload, sequence);
    } else {
      reply(ctx, payload, sequence);
    }
  }

  private void greeting(ChannelHandlerContext ctx, ByteBuf in, int sequence) {
    if (in.getUnsignedByte(in.readerIndex()) == 0xff) {
      refuse(ctx, ErrPacket.parse(in, in.readerIndex(), in.readableBytes()).toException());
      return;
    }
    in.skipBytes(1);
    in.skipBytes(in.bytesBefore((byte) 0) + 1);
    serverConnectionId = in.readUnsignedIntLE();
    byte[] first = new byte[8];
    in.readBytes(first);
    in.skipBytes(1 + 2 + 1 + 2 + 2 + 1 + 10);
    byte[] second = new byte[NONCE_LENGTH - 8];
    in.readBytes(second);
    in.skipBytes(1);
    nonce = concat(first, second);
    int nameLength = in.bytesBefore((byte) 0);
    plugin =
        in.readCharSequence(
                nameLength < 0 ? in.readableBytes() : nameLength, StandardCharsets.UTF_8)
            .toString();
    ByteBuf out = ctx.alloc().buffer(128);
    int header = Packets.begin(out, sequence + 1);
    expected = sequence + 2;
    out.writeIntLE(capabilities());
    out.writeIntLE(MAX_PACKET).writeByte(COLLATION).writeZero(23);
    out.writeCharSequence(credentials.user(), StandardCharsets.UTF_8);
    out.writeByte(0);
    Lenenc.writeBytes(out, proof());
    out.writeCharSequence(plugin, StandardCharsets.UTF_8);
    out.writeByte(0);
    Packets.end(out, header);
    ctx.writeAndFlush(out, ctx.voidPromise());
  }

  private int capabilities() {
    return CAPABILITIES
        | (account.foundRows() ? Capability.FOUND_ROWS : 0)
        | (account.takesSeveral() ? Capability.MULTI_STATEMENTS : 0);
  }

  private void reply(ChannelHandlerContext ctx, ByteBuf in, int sequence) {
    switch (in.getUnsignedByte(in.readerIndex())) {
      case 0x00 -> {
        if (home.keepsPrepared() && account.writes() && !keepsPrepared) {
          keepsPrepared = true;
          send(ctx, NEW_COMMAND, KEEP_PREPARED);
        } else {
          finish(ctx);
        }
      }
      case 0xff ->
          refuse(ctx, ErrPacket.parse(in, in.readerIndex(), in.readableBytes()).toException());
      case 0xfe -> authSwitch(ctx, in.skipBytes(1), sequence);
      case 0x01 -> {
        if (in.getUnsignedByte(in.readerIndex() + 1) == 4) {
          send(ctx, sequence, concat(password(), new byte[1]));
        }
      }
      default -> refuse(ctx, unexpected());
    }
  }

  private void authSwitch(ChannelHandlerContext ctx, ByteBuf in, int sequence) {
    plugin = in.readCharSequence(in.bytesBefore((byte) 0), StandardCharsets.UTF_8).toString();
    in.skipBytes(1);
    nonce = new byte[NONCE_LENGTH];
    in.readBytes(nonce);
    send(ctx, sequence, proof());
  }

  private void send(ChannelHandlerContext ctx, int sequence, byte[] payload) {
    expected = sequence + 2;
    ByteBuf out = ctx.alloc().buffer(payload.length + Packets.HEADER);
    int header = Packets.begin(out, sequence + 1);
    out.writeBytes(payload);
    Packets.end(out, header);
    ctx.writeAndFlush(out, ctx.voidPromise());
  }

  private void unbound() {
    ScheduledFuture<?> watching = bound;
    if (watching != null) {
      watching.cancel(false);
    }
  }

  private void finish(ChannelHandlerContext ctx) {
    finished = true;
    unbound();
    PipelinedBranch branch =
        new PipelinedBranch(dn, ctx.channel(), serverConnectionId, home, watch);
    if (!account.takesSeveral()) {
      branch.secondStatements().notAskedFor();
    }
    ctx.pipeline().replace(this, "branch", branch);
    if (keepsPrepared) {
      branch.keepsPreparedFromNowOn();
    }
    taker.taken(branch);
  }

  private void refuse(ChannelHandlerContext ctx, AlraiException reason) {
    if (!finished) {
      finished = true;
      unbound();
      taker.refused(reason);
    }
    ctx.close();
  }

  @Override
  protected void handlerRemoved0(ChannelHandlerContext ctx) {
    // nothing of its own to free
  }

  @Override
  public void channelInactive(ChannelHandlerContext ctx) {
    refuse(
        ctx,
        new AlraiException(
            ErrorCode.ALRAI_NODE_UNAVAILABLE, "the mysqld of " + dn + " closed the connection"));
  }

  @Override
  public void exceptionCaught(ChannelHandlerContext ctx, Throwable cause) {
    refuse(
        ctx,
        new AlraiException(
            ErrorCode.ALRAI_NODE_UNAVAILABLE, "login to the mysqld of " + dn + " failed", cause));
  }

  private AlraiException unexpected() {
    return new AlraiException(
        ErrorCode.ALRAI_NODE_UNAVAILABLE, "the mysqld of " + dn + " broke the login protocol");
  }

  private byte[] proof() {
    return Scramble.proof(plugin, password(), nonce);
  }

  private byte[] password() {
    return credentials.password().getBytes(StandardCharsets.UTF_8);
  }

  private static byte[] concat(byte[] a, byte[] b) {
    byte[] out = new byte[a.length + b.length];
    System.arraycopy(a, 0, out, 0, a.length);
    System.arraycopy(b, 0, out, a.length, b.length);
    return out;
  }
}
