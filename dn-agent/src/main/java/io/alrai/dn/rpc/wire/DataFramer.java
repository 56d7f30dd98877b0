package io.alrai.dn.rpc.wire;

import io.alrai.dn.clock.NodeClock;
import io.alrai.dn.link.BranchState;
import io.netty.buffer.ByteBuf;
import io.netty.channel.ChannelFuture;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelOutboundHandlerAdapter;
import io.netty.channel.ChannelPromise;

/** Puts every buffer that a branch writes into a DATA frame; the bytes are not copied. */
public final class DataFramer extends ChannelOutboundHandlerAdapter {
  private final NodeClock clock;
  private final BranchState branch;

  /** For the frames of a branch with that state. */
  public DataFramer(NodeClock clock, BranchState branch) {
    this.clock = clock;
    this.branch = branch;
  }

  @Override
  public void write(ChannelHandlerContext ctx, Object message, ChannelPromise promise) {
    long now = clock.nowValue();
    branch.sent(now);
    write(ctx, now, branch.dependency(), 0, (ByteBuf) message, promise);
  }

  /** Writes one frame; takes the buffer. */
  public static ChannelFuture write(
      ChannelHandlerContext ctx,
      long clock,
      long stamp,
      int flags,
      ByteBuf packets,
      ChannelPromise promise) {
    ByteBuf header = ctx.alloc().buffer(Envelope.HEADER);
    Envelope.header(header, FrameKind.DATA, flags, 0, clock, stamp, packets.readableBytes());
    ctx.write(header, ctx.voidPromise());
    return ctx.write(packets, promise);
  }
}
