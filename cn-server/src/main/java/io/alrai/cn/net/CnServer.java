package io.alrai.cn.net;

import io.alrai.cn.command.ClientConnection;
import io.alrai.cn.command.SessionOpening;
import io.alrai.cn.protocol.HandshakeHandler;
import io.alrai.cn.service.CnServices;
import io.alrai.common.error.AlraiException;
import io.alrai.common.error.ErrorCode;
import io.alrai.common.wire.Packets;
import io.netty.bootstrap.ServerBootstrap;
import io.netty.buffer.ByteBuf;
import io.netty.channel.Channel;
import io.netty.channel.ChannelFuture;
import io.netty.channel.ChannelFutureListener;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.ChannelInitializer;
import io.netty.channel.ChannelOption;
import io.netty.channel.EventLoopGroup;
import io.netty.channel.WriteBufferWaterMark;
import io.netty.channel.epoll.EpollChannelOption;
import io.netty.channel.epoll.EpollServerSocketChannel;
import io.netty.channel.socket.SocketChannel;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/** The listening socket of a CN. Started and closed by any one thread. */
public final class CnServer implements AutoCloseable {
  private static final int BACKLOG = 4096;

  /** How many logins at a time an address may have in any case. */
  private static final int FEW = 16;

  /** A client whose machine is gone without a word is noticed after two minutes of silence. */
  private static final int KEEPALIVE_IDLE_SECONDS = 60;

  private static final int KEEPALIVE_SECONDS = 10;
  private static final int KEEPALIVES = 6;

  private final EventLoopGroup loops;
  private final CnServices services;
  private final TrustedProxies proxies;
  private final AtomicInteger clients = new AtomicInteger();
  private final PendingLogins pending = new PendingLogins(System::nanoTime);
  private @Nullable Channel listener;

  /**
   * A server that is not listening yet.
   *
   * @param loops run the clients and, on the same loops, their branches; epoll
   * @param mostClients those that come when so many are there are refused
   * @param proxies from where load balancers may say who their clients are
   */
  public CnServer(
      EventLoopGroup loops, CnServices services, int mostClients, TrustedProxies proxies) {
    this.loops = loops;
    this.services = services;
    services.clients().settings().globals().room(mostClients);
    this.proxies = proxies;
  }

  /**
   * Listens.
   *
   * @throws AlraiException when the port is taken, with a sentence that says so
   */
  public void listen(String host, int port) {
    ChannelFuture bound =
        new ServerBootstrap()
            .group(loops)
            .channel(EpollServerSocketChannel.class)
            .option(ChannelOption.SO_BACKLOG, BACKLOG)
            .option(ChannelOption.SO_REUSEADDR, true)
            .childOption(ChannelOption.TCP_NODELAY, true)
            .childOption(ChannelOption.SO_KEEPALIVE, true)
            .childOption(EpollChannelOption.TCP_KEEPIDLE, KEEPALIVE_IDLE_SECONDS)
            .childOption(EpollChannelOption.TCP_KEEPINTVL, KEEPALIVE_SECONDS)
            .childOption(EpollChannelOption.TCP_KEEPCNT, KEEPALIVES)
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
            .awaitUninterruptibly();
    if (!bound.isSuccess()) {
      throw new AlraiException(
          ErrorCode.ALRAI_NODE_UNAVAILABLE,
          "cannot listen on "
              + host
              + ":"
              + port
              + ": "
              + bound.cause().getMessage()
              + ". Is another server there? Choose another port with --port",
          bound.cause());
    }
    listener = bound.channel();
  }

  private void greet(SocketChannel channel) {
    boolean balancer = !proxies.isEmpty() && proxies.trusts(channel.remoteAddress());
    channel
        .closeFuture()
        .addListener(closed -> {
          clients.decrementAndGet();
          pending.end(channel);
        });
    if (!hasPlace(channel, balancer)) {
      refuse(channel);
      return;
    }
    if (balancer) {
      channel.pipeline().addLast("proxied", new ProxyHeader());
    }
    ClientConnection connection = new ClientConnection(services, channel);
    int id = services.clients().sessions().nextConnectionId();
    SessionOpening opening = new SessionOpening(services, connection, id);
    channel
        .pipeline()
        .addLast(
            "handshake",
            new HandshakeHandler(
                services.clients().serverVersion(),
                id,
                services.clients().authentication(),
                services.clients().settings(),
                services.clients().loginCounts(),
                (ctx, identity, capabilities, compression, collation, schema) -> {
                  opening.accept(ctx, identity, capabilities, compression, collation, schema);
                  pending.end(channel);
                }));
  }

  /** Clients that are logged in keep their places; the others make room for new ones. */
  private boolean hasPlace(SocketChannel channel, boolean balancer) {
    // one more, for an administrator
    int most = services.clients().settings().globals().maxConnections() + 1;
    boolean full = clients.incrementAndGet() > most;
    InetAddress address = channel.remoteAddress().getAddress();
    Optional<Channel> leaves = full ? pending.oldest() : Optional.empty();
    if (full && leaves.isEmpty()) {
      return false;
    }
    pending.begin(channel, address);
    if (!full && !balancer) {
      leaves = pending.oldestOf(address, Math.max(FEW, most / 2));
    }
    leaves.ifPresent(Channel::close);
    return true;
  }

  /** Says so in place of the greeting, where an error has no SQLSTATE yet, as mysqld does. */
  private static void refuse(SocketChannel channel) {
    ByteBuf out = channel.alloc().buffer(64);
    int header = Packets.begin(out, 0);
    out.writeByte(0xff).writeShortLE(ErrorCode.ER_CON_COUNT_ERROR.errno());
    out.writeCharSequence("Too many connections", StandardCharsets.US_ASCII);
    Packets.end(out, header);
    channel.pipeline().addLast(new Farewell(out));
  }

  /** Sends the last words when the channel is open. */
  private static final class Farewell extends ChannelInboundHandlerAdapter {
    private final ByteBuf words;

    Farewell(ByteBuf words) {
      this.words = words;
    }

    @Override
    public void channelActive(ChannelHandlerContext ctx) {
      ctx.writeAndFlush(words).addListener(ChannelFutureListener.CLOSE);
    }
  }

  /** The port it listens on. */
  public int port() {
    Channel open = listener;
    if (open == null) {
      throw new IllegalStateException("not listening");
    }
    return ((InetSocketAddress) open.localAddress()).getPort();
  }

  /** Lets nobody in any more; those who are there stay. */
  public void listenNoMore() {
    Channel open = listener;
    if (open != null) {
      open.close().syncUninterruptibly();
    }
  }

  /** Lets nobody in any more, and ends the sessions at once. */
  @Override
  public void close() {
    listenNoMore();
    services.clients().sessions().all().forEach(entry -> entry.killConnection());
  }
}
