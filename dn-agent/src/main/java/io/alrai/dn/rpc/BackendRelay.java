package io.alrai.dn.rpc;

import io.alrai.common.error.AlraiException;
import io.alrai.dn.backend.BackendConnector;
import io.alrai.dn.backend.PipelinedBranch;
import io.alrai.dn.link.BackendAccount;
import io.alrai.dn.link.Branch;
import io.alrai.dn.link.BranchTaker;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.Channel;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.EventLoop;
import io.netty.channel.socket.DuplexChannel;
import java.util.concurrent.CompletableFuture;

/**
 * Sits between an agent's mysqld connection and its {@link PipelinedBranch}: hands what the mysqld
 * sends to the caller, as it comes, except while the agent itself speaks on the branch. Event loop
 * only.
 */
final class BackendRelay extends ChannelInboundHandlerAdapter {
  /** The caller's side. */
  interface Caller {
    /** Bytes from the mysqld; the buffer is the callee's. */
    void fromBackend(ByteBuf packets);

    /** There are no more bytes now. */
    void backendReadComplete();

    /** Whether the mysqld takes bytes as fast as they come. */
    void backendWritable(boolean writable);

    /** The mysqld's connection is closed. */
    void backendClosed();
  }

  /** A branch of an agent's session serves no other: nothing to do. */
  private static final PipelinedBranch.Home HOMELESS =
      new PipelinedBranch.Home() {
        @Override
        public void returned(PipelinedBranch branch) {
          branch.close();
        }

        @Override
        public void lost(PipelinedBranch branch) {
          // the relay tells its caller
        }
      };

  private final PipelinedBranch branch;
  private final Channel channel;
  private final Caller caller;
  private boolean relaying = true;

  /** Nothing is sent there any more. */
  private boolean ended;

  private BackendRelay(PipelinedBranch branch, Caller caller) {
    this.branch = branch;
    this.channel = branch.channel();
    this.caller = caller;
  }

  /** Opens a connection to a mysqld for a caller; on the loop, where the future completes. */
  static CompletableFuture<BackendRelay> open(
      BackendConnector mysqld, EventLoop loop, BackendAccount account, Caller caller) {
    CompletableFuture<BackendRelay> opened = new CompletableFuture<>();
    mysqld.open(
        loop,
        account,
        HOMELESS,
        new BranchTaker() {
          @Override
          public void taken(Branch branch) {
            opened.complete(on((PipelinedBranch) branch, caller));
          }

          @Override
          public void refused(AlraiException reason) {
            opened.completeExceptionally(reason);
          }
        });
    return opened;
  }

  private static BackendRelay on(PipelinedBranch branch, Caller caller) {
    BackendRelay relay = new BackendRelay(branch, caller);
    ChannelHandlerContext above = branch.channel().pipeline().context(branch);
    branch.channel().pipeline().addBefore(above.name(), "relay", relay);
    branch.relayed();
    return relay;
  }

  /** The branch, for the agent's own statements while it does not relay. */
  PipelinedBranch branch() {
    return branch;
  }

  /** Whether what the mysqld sends goes to the caller, or to the branch. */
  void relaying(boolean on) {
    relaying = on;
  }

  /** Bytes for the mysqld; takes the buffer. */
  void write(ByteBuf packets) {
    if (ended) {
      packets.release();
      return;
    }
    channel.write(packets, channel.voidPromise());
    if (!channel.isWritable()) {
      channel.flush();
      caller.backendWritable(channel.isWritable());
    }
  }

  void flush() {
    channel.flush();
  }

  /** Back-pressure. */
  void reading(boolean on) {
    channel.config().setAutoRead(on);
  }

  boolean alive() {
    return branch.alive();
  }

  /** Sends nothing more: the mysqld closes the connection when it has answered all. */
  void sendsNoMore() {
    ended = true;
    channel
        .writeAndFlush(Unpooled.EMPTY_BUFFER)
        .addListener(written -> ((DuplexChannel) channel).shutdownOutput());
  }

  /** Ends the mysqld's connection; it rolls back what is open. */
  void close() {
    branch.close();
  }

  @Override
  public void channelRead(ChannelHandlerContext ctx, Object message) {
    if (relaying) {
      caller.fromBackend((ByteBuf) message);
    } else {
      ctx.fireChannelRead(message);
    }
  }

  @Override
  public void channelReadComplete(ChannelHandlerContext ctx) {
    if (relaying) {
      caller.backendReadComplete();
    }
    ctx.fireChannelReadComplete();
  }

  @Override
  public void channelWritabilityChanged(ChannelHandlerContext ctx) {
    caller.backendWritable(ctx.channel().isWritable());
    ctx.fireChannelWritabilityChanged();
  }

  @Override
  public void channelInactive(ChannelHandlerContext ctx) {
    ctx.fireChannelInactive();
    caller.backendClosed();
  }
}
