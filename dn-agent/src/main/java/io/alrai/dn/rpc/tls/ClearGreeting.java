package io.alrai.dn.rpc.tls;

import io.alrai.common.error.AlraiException;
import io.alrai.common.error.ErrorCode;
import io.alrai.common.id.DnId;
import io.alrai.common.net.HostPort;
import io.alrai.dn.rpc.wire.Envelope;
import io.netty.buffer.ByteBuf;
import io.netty.channel.ChannelHandlerContext;
import io.netty.handler.codec.ByteToMessageDecoder;
import io.netty.handler.ssl.SslHandler;
import java.net.InetSocketAddress;
import java.util.List;

/**
 * The first handler of a caller's connection with TLS: passes the agent's greeting, one frame in
 * the clear, by the decryption, sees whether TLS follows, and is gone. Event loop only.
 */
final class ClearGreeting extends ByteToMessageDecoder {
  /** No greeting is longer. */
  private static final int MOST = Envelope.HEADER + 256;

  /** Kinds of TLS records: from a change of ciphers to data of applications. */
  private static final int FIRST_RECORD = 20;

  private static final int LAST_RECORD = 23;

  private final DnId dn;
  private final InetSocketAddress place;
  private final SslHandler tls;
  private boolean greeted;

  ClearGreeting(DnId dn, InetSocketAddress place, SslHandler tls) {
    this.dn = dn;
    this.place = place;
    this.tls = tls;
  }

  @Override
  protected void decode(ChannelHandlerContext ctx, ByteBuf in, List<Object> out) {
    ChannelHandlerContext behind = ctx.pipeline().context(tls);
    if (behind == null) {
      in.skipBytes(in.readableBytes()); // it has failed
    } else if (!greeted) {
      greeting(in, behind);
    } else if (isRecord(in.getUnsignedByte(in.readerIndex()))) {
      ctx.pipeline().remove(this); // what is left goes to the decryption
    } else {
      in.skipBytes(in.readableBytes());
      throw clear("speaks in the clear where this node wants TLS: set its member.tls to accept");
    }
  }

  private void greeting(ByteBuf in, ChannelHandlerContext behind) {
    if (in.readableBytes() < Integer.BYTES) {
      return;
    }
    long length = Envelope.HEADER + in.getUnsignedInt(in.readerIndex());
    if (length > MOST) {
      in.skipBytes(in.readableBytes());
      throw clear("does not greet as an agent does");
    }
    if (in.readableBytes() >= length) {
      greeted = true;
      behind.fireChannelRead(in.readRetainedSlice((int) length));
      behind.fireChannelReadComplete();
    }
  }

  private static boolean isRecord(int kind) {
    return kind >= FIRST_RECORD && kind <= LAST_RECORD;
  }

  private AlraiException clear(String what) {
    return new AlraiException(
        ErrorCode.ALRAI_NODE_UNAVAILABLE,
        "the agent of " + dn + " at " + HostPort.of(place) + " " + what);
  }

  @Override
  public void exceptionCaught(ChannelHandlerContext ctx, Throwable cause) {
    ChannelHandlerContext behind = ctx.pipeline().context(tls);
    if (behind == null) {
      ctx.fireExceptionCaught(cause);
    } else {
      behind.fireExceptionCaught(cause); // a failed greeting is no failure of the encryption
    }
  }
}
