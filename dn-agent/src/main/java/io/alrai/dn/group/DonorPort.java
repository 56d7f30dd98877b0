package io.alrai.dn.group;

import io.alrai.common.error.AlraiException;
import io.alrai.common.error.ErrorCode;
import io.netty.bootstrap.ServerBootstrap;
import io.netty.channel.Channel;
import io.netty.channel.ChannelFuture;
import io.netty.channel.ChannelInitializer;
import io.netty.channel.ChannelOption;
import io.netty.channel.EventLoop;
import io.netty.channel.epoll.EpollServerSocketChannel;
import io.netty.channel.group.ChannelGroup;
import io.netty.channel.group.DefaultChannelGroup;
import java.net.InetSocketAddress;
import java.util.function.Consumer;

/**
 * A port of the loopback address where a member's mysqld finds the one that it clones. Whoever else
 * on this machine connects there has to know that one's password. Thread-safe.
 */
public final class DonorPort implements AutoCloseable {
  private final ChannelGroup connections;
  private final Channel listening;

  /**
   * Listens.
   *
   * @param loop of the connections
   * @param relay takes each; it does not read by itself
   * @throws AlraiException ALRAI_NODE_UNAVAILABLE: there is no port
   */
  public DonorPort(EventLoop loop, Consumer<Channel> relay) {
    this.connections = new DefaultChannelGroup(loop);
    ChannelFuture bound =
        new ServerBootstrap()
            .group(loop)
            .channel(EpollServerSocketChannel.class)
            .childOption(ChannelOption.TCP_NODELAY, true)
            .childOption(ChannelOption.AUTO_READ, false)
            .childHandler(
                new ChannelInitializer<Channel>() {
                  @Override
                  protected void initChannel(Channel channel) {
                    connections.add(channel);
                    relay.accept(channel);
                  }
                })
            .bind(new InetSocketAddress(ReplicaFeeder.HOST, 0))
            .awaitUninterruptibly();
    if (!bound.isSuccess()) {
      throw new AlraiException(
          ErrorCode.ALRAI_NODE_UNAVAILABLE,
          "no port to clone over: " + bound.cause(),
          bound.cause());
    }
    this.listening = bound.channel();
  }

  /** Where it listens. */
  public int port() {
    return ((InetSocketAddress) listening.localAddress()).getPort();
  }

  /** Ends all connections. Not on an event loop. */
  @Override
  public void close() {
    listening.close().awaitUninterruptibly();
    connections.close().awaitUninterruptibly();
  }
}
