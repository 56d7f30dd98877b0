package io.alrai.dn.rpc;

import io.alrai.dn.rpc.wire.Envelope;
import io.alrai.dn.rpc.wire.FrameKind;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.Channel;
import io.netty.channel.ChannelFutureListener;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.WriteBufferWaterMark;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One end of a relay: what is read here is written to the other end, as fast as that takes it. Both
 * are on one loop; nothing else is written to either.
 */
final class RelayEnd extends ChannelInboundHandlerAdapter {
  private static final Logger log = LoggerFactory.getLogger(RelayEnd.class);

  /** What waits to be written, at most, and one read more. */
  private static final WriteBufferWaterMark WAITING = new WriteBufferWaterMark(256 << 10, 1 << 20);

  private final Channel other;
  private final boolean framed;

  private RelayEnd(Channel other, boolean framed) {
    this.other = other;
    this.framed = framed;
  }

  /**
   * Connects a connection of the envelope with one that has no frames.
   *
   * @param bare does not read yet
   */
  static void connect(Channel envelope, Channel bare) {
    envelope.config().setWriteBufferWaterMark(WAITING);
    bare.config().setWriteBufferWaterMark(WAITING);
    envelope.pipeline().addLast(new RelayEnd(bare, false));
    bare.pipeline().addLast(new RelayEnd(envelope, true));
    bare.config().setAutoRead(true);
  }

  @Override
  public void channelRead(ChannelHandlerContext ctx, Object message) {
    ByteBuf piece = (ByteBuf) message;
    if (framed) {
      ByteBuf header = ctx.alloc().buffer(Envelope.HEADER);
      Envelope.header(header, FrameKind.DATA, 0, 0, 0, piece.readableBytes());
      other.write(header, other.voidPromise());
    }
    other.write(piece, other.voidPromise());
    if (!other.isWritable()) {
      other.flush();
      ctx.channel().config().setAutoRead(other.isWritable());
    }
  }

  @Override
  public void channelReadComplete(ChannelHandlerContext ctx) {
    other.flush();
  }

  @Override
  public void channelWritabilityChanged(ChannelHandlerContext ctx) {
    other.config().setAutoRead(ctx.channel().isWritable());
  }

  @Override
  public void channelInactive(ChannelHandlerContext ctx) {
    if (other.isActive()) {
      other.writeAndFlush(Unpooled.EMPTY_BUFFER).addListener(ChannelFutureListener.CLOSE);
    }
  }

  @Override
  public void exceptionCaught(ChannelHandlerContext ctx, Throwable cause) {
    log.debug("a relay ends: {}", String.valueOf(cause));
    ctx.close();
  }
}
