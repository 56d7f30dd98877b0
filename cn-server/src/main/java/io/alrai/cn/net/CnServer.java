package io.alrai.cn.net;

import io.alrai.cn.command.ClientConnection;
import io.alrai.cn.command.CnServices;
import io.alrai.cn.command.SessionOpening;
import io.alrai.cn.protocol.HandshakeHandler;
import io.alrai.common.error.AlraiException;
import io.alrai.common.error.ErrorCode;
import io.netty.bootstrap.ServerBootstrap;
import io.netty.channel.Channel;
import io.netty.channel.ChannelInitializer;
import io.netty.channel.ChannelOption;
import io.netty.channel.EventLoopGroup;
import io.netty.channel.WriteBufferWaterMark;
import io.netty.channel.epoll.EpollServerSocketChannel;
import io.netty.channel.socket.SocketChannel;
import java.net.InetSocketAddress;
import org.jspecify.annotations.Nullable;

/** The listening socket of a CN. Started and closed by any one thread. */
public final class CnServer implements AutoCloseable {
  private static final int BACKLOG = 4096;

  private final EventLoopGroup loops;
  private final CnServices services;
  private @Nullable Channel listener;

  /**
   * A server that is not listening yet.
   *
   * @param loops run the clients and, on the same loops, their branches; epoll
   */
  public CnServer(EventLoopGroup loops, CnServices services) {
    this.loops = loops;
    this.services = services;
  }

  /**
   * Listens.
   *
   * @throws AlraiException when the port is taken, with a sentence that says so
   */
  public void listen(String host, int port) {
    try {
      listener =
          new ServerBootstrap()
              .group(loops)
              .channel(EpollServerSocketChannel.class)
              .option(ChannelOption.SO_BACKLOG, BACKLOG)
              .option(ChannelOption.SO_REUSEADDR, true)
              .childOption(ChannelOption.TCP_NODELAY, true)
              .childOption(ChannelOption.SO_KEEPALIVE, true)
              .childOption(
                  ChannelOption.WRITE_BUFFER_WATER_MARK,
                  new WriteBufferWaterMark(64 << 10, 256 << 10))
              .childHandler(
                  new ChannelInitializer<SocketChannel>() {
                    @Override
                    protected void initChannel(SocketChannel channel) {
                      greet(channel);
                    }
                  })
              .bind(host, port)
              .syncUninterruptibly()
              .channel();
    } catch (RuntimeException e) {
      throw new AlraiException(
          ErrorCode.ALRAI_NODE_UNAVAILABLE,
          "cannot listen on "
              + host
              + ":"
              + port
              + ": "
              + e.getMessage()
              + ". Is another server there? Choose another port with --port",
          e);
    }
  }

  private void greet(SocketChannel channel) {
    ClientConnection connection = new ClientConnection(services, channel);
    int id = services.sessions().nextConnectionId();
    SessionOpening opening = new SessionOpening(services, connection, id);
    channel
        .pipeline()
        .addLast(
            "handshake",
            new HandshakeHandler(services.serverVersion(), id, services.gms()::catalog, opening));
  }

  /** The port it listens on. */
  public int port() {
    Channel open = listener;
    if (open == null) {
      throw new IllegalStateException("not listening");
    }
    return ((InetSocketAddress) open.localAddress()).getPort();
  }

  /** Stops to accept; the clients stay until their loops end. */
  @Override
  public void close() {
    Channel open = listener;
    if (open != null) {
      open.close().syncUninterruptibly();
    }
    services.sessions().all().forEach(entry -> entry.killConnection());
  }
}
