package io.alrai.dn.rpc;

import io.alrai.common.id.DnId;
import io.alrai.common.wire.Packets;
import io.alrai.dn.backend.BackendConnector;
import io.alrai.dn.backend.PipelinedBranch;
import io.alrai.dn.link.BackendAccount;
import io.alrai.dn.link.BranchTaker;
import io.alrai.dn.link.ReadWatch;
import io.netty.bootstrap.Bootstrap;
import io.netty.bootstrap.ServerBootstrap;
import io.netty.buffer.ByteBuf;
import io.netty.channel.Channel;
import io.netty.channel.ChannelFuture;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.ChannelInitializer;
import io.netty.channel.ChannelOption;
import io.netty.channel.EventLoop;
import io.netty.channel.EventLoopGroup;
import io.netty.channel.epoll.EpollServerSocketChannel;
import io.netty.channel.epoll.EpollSocketChannel;
import io.netty.channel.group.ChannelGroup;
import io.netty.channel.group.DefaultChannelGroup;
import io.netty.channel.socket.ChannelInputShutdownEvent;
import io.netty.handler.codec.ByteToMessageDecoder;
import io.netty.util.concurrent.GlobalEventExecutor;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.function.Consumer;

/**
 * A mysqld's place: without a login, and to every command of one packet it says OK, but for those
 * that are at work for as long as it lives.
 */
final class OkServer implements BackendConnector, AutoCloseable {
  private volatile ReadWatch watch = ReadWatch.NONE;

  /** In the text of what is not answered. */
  static final String LONG = "SLEEP";

  private static final byte[] OK = {7, 0, 0, 1, 0, 0, 0, 2, 0, 0, 0};

  /** The connections' ends at the agent. */
  final BlockingQueue<PipelinedBranch> branches = new LinkedBlockingQueue<>();

  private final DnId dn;
  private final Consumer<String> beforeReply;
  private final ChannelGroup connections = new DefaultChannelGroup(GlobalEventExecutor.INSTANCE);
  private final Channel listening;

  /**
   * A server.
   *
   * @param beforeReply gets the text of each command before its reply is sent, on a loop
   */
  OkServer(DnId dn, EventLoopGroup loops, Consumer<String> beforeReply) {
    this.dn = dn;
    this.beforeReply = beforeReply;
    this.listening =
        new ServerBootstrap()
            .group(loops)
            .channel(EpollServerSocketChannel.class)
            .childOption(ChannelOption.ALLOW_HALF_CLOSURE, true)
            .childHandler(
                new ChannelInitializer<Channel>() {
                  @Override
                  protected void initChannel(Channel channel) {
                    connections.add(channel);
                    channel.pipeline().addLast(new Answering());
                  }
                })
            .bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0))
            .syncUninterruptibly()
            .channel();
  }

  private final class Answering extends ByteToMessageDecoder {
    private boolean atWork;

    @Override
    protected void decode(ChannelHandlerContext ctx, ByteBuf in, List<Object> out) {
      int at = in.readerIndex();
      if (in.readableBytes() < Packets.HEADER
          || in.readableBytes() < Packets.HEADER + in.getUnsignedMediumLE(at)) {
        return;
      }
      int length = in.readUnsignedMediumLE();
      in.skipBytes(2);
      String text = in.readCharSequence(length - 1, StandardCharsets.UTF_8).toString();
      beforeReply.accept(text);
      atWork = text.contains(LONG);
      if (!atWork) {
        ctx.writeAndFlush(ctx.alloc().buffer().writeBytes(OK));
      }
    }

    /** The client sends no more. */
    @Override
    public void userEventTriggered(ChannelHandlerContext ctx, Object event) {
      if (event instanceof ChannelInputShutdownEvent && !atWork) {
        ctx.close();
      }
    }
  }

  /** Asked about the reads of connections from now on. */
  void watchedBy(ReadWatch by) {
    watch = by;
  }

  @Override
  public void open(
      EventLoop loop, BackendAccount account, PipelinedBranch.Home home, BranchTaker taker) {
    new Bootstrap()
        .group(loop)
        .channel(EpollSocketChannel.class)
        .handler(new ChannelInboundHandlerAdapter())
        .connect(listening.localAddress())
        .addListener((ChannelFuture done) -> {
          PipelinedBranch branch = new PipelinedBranch(dn, done.channel(), 7, home, watch);
          done.channel().pipeline().addLast(branch);
          branches.add(branch);
          taker.taken(branch);
        });
  }

  /** Ends all connections, and goes on. */
  void disconnect() {
    connections.close().awaitUninterruptibly();
  }

  @Override
  public void close() {
    listening.close().awaitUninterruptibly();
    disconnect();
  }
}
