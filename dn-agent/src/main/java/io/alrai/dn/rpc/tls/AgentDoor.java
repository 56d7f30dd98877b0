package io.alrai.dn.rpc.tls;

import io.alrai.common.error.AlraiException;
import io.alrai.dn.rpc.wire.Message;
import io.alrai.dn.rpc.wire.MessageCodec;
import io.netty.buffer.ByteBuf;
import io.netty.channel.ChannelFutureListener;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.handler.ssl.SslHandler;

/**
 * The first handler of a connection to an agent: sees by the first byte whether the caller speaks
 * TLS, lets in or refuses, and is gone. Event loop only.
 */
final class AgentDoor extends ChannelInboundHandlerAdapter {
  /** A record of a TLS handshake; no frame is so long that its length begins with it. */
  static final int HANDSHAKE = 0x16;

  private final EnvelopeTls tls;

  AgentDoor(EnvelopeTls tls) {
    this.tls = tls;
  }

  @Override
  public void channelRead(ChannelHandlerContext ctx, Object message) {
    ByteBuf first = (ByteBuf) message;
    if (!first.isReadable()) {
      first.release();
      return;
    }
    if (first.getUnsignedByte(first.readerIndex()) == HANDSHAKE) {
      SslHandler handler = tls.accepted(ctx.channel());
      if (handler == null) {
        refuse(ctx, first, tls.againstTls());
        return;
      }
      ctx.pipeline().addAfter(ctx.name(), null, handler);
    } else {
      AlraiException reason = tls.againstClear();
      if (reason != null) {
        refuse(ctx, first, reason);
        return;
      }
    }
    ctx.fireChannelRead(first);
    ctx.pipeline().remove(this);
  }

  private void refuse(ChannelHandlerContext ctx, ByteBuf first, AlraiException reason) {
    first.release();
    tls.warn(ctx.channel().remoteAddress() + " was refused: " + reason.sentence());
    ctx.channel().config().setAutoRead(false); // what it says further does not matter
    ByteBuf out = ctx.alloc().buffer(256);
    MessageCodec.write(out, new Message.Failure(reason), 0, 0, 0);
    ctx.writeAndFlush(out).addListener(ChannelFutureListener.CLOSE);
  }
}
