package io.alrai.dn.rpc;

import io.alrai.dn.clock.NodeClock;
import io.netty.buffer.ByteBuf;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelOutboundHandlerAdapter;
import io.netty.channel.ChannelPromise;

/** Puts every buffer that a branch writes into a DATA frame; the bytes are not copied. */
final class DataFramer extends ChannelOutboundHandlerAdapter {
  private final NodeClock clock;

  DataFramer(NodeClock clock) {
    this.clock = clock;
  }

  @Override
  public void write(ChannelHandlerContext ctx, Object message, ChannelPromise promise) {
    write(ctx, clock, (ByteBuf) message, promise);
  }

  /** Writes one frame; takes the buffer. */
  static void write(
      ChannelHandlerContext ctx, NodeClock clock, ByteBuf packets, ChannelPromise promise) {
    ByteBuf header = ctx.alloc().buffer(Envelope.HEADER);
    Envelope.header(header, FrameKind.DATA, 0, clock.nowValue(), packets.readableBytes());
    ctx.write(header, ctx.voidPromise());
    ctx.write(packets, promise);
  }
}
