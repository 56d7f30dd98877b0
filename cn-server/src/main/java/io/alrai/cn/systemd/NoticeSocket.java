package io.alrai.cn.systemd;

import io.netty.bootstrap.Bootstrap;
import io.netty.buffer.Unpooled;
import io.netty.channel.Channel;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.EventLoopGroup;
import io.netty.channel.MultiThreadIoEventLoopGroup;
import io.netty.channel.epoll.Epoll;
import io.netty.channel.epoll.EpollDomainDatagramChannel;
import io.netty.channel.epoll.EpollIoHandler;
import io.netty.channel.unix.DomainSocketAddress;
import io.netty.util.concurrent.Future;
import java.io.IOException;
import java.net.SocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.TimeUnit;

/** Sends one datagram to a Unix socket. The JDK has no such sockets, and Netty is here anyway. */
final class NoticeSocket {
  /** A keeper that does not read must not keep a process from its work, or from its end. */
  private static final long MOST_MILLIS = 2_000;

  private NoticeSocket() {}

  /**
   * Sends it.
   *
   * @param address a path, or an abstract name after {@code @}
   * @throws IOException with a sentence
   */
  static void send(String address, String text) throws IOException, InterruptedException {
    SocketAddress socket = address(address);
    if (!Epoll.isAvailable()) {
      throw new IOException("this system has no epoll: " + Epoll.unavailabilityCause());
    }
    EventLoopGroup loop = new MultiThreadIoEventLoopGroup(1, EpollIoHandler.newFactory());
    try {
      Channel channel =
          new Bootstrap()
              .group(loop)
              .channel(EpollDomainDatagramChannel.class)
              .handler(new ChannelInboundHandlerAdapter())
              .register()
              .sync()
              .channel();
      await(channel.connect(socket));
      await(channel.writeAndFlush(Unpooled.copiedBuffer(text, StandardCharsets.UTF_8)));
      channel.close();
    } finally {
      loop.shutdownGracefully(0, 0, TimeUnit.SECONDS);
    }
  }

  private static SocketAddress address(String address) throws IOException {
    return switch (address.charAt(0)) {
      case '/' -> new DomainSocketAddress(address);
      case '@' -> new DomainSocketAddress("\0" + address.substring(1));
      default -> throw new IOException("it is neither a path nor an abstract name after @");
    };
  }

  private static void await(Future<?> sent) throws IOException, InterruptedException {
    if (!sent.await(MOST_MILLIS)) {
      throw new IOException("nobody took it for " + MOST_MILLIS + " ms");
    }
    if (!sent.isSuccess()) {
      // an abstract name begins with a zero
      throw new IOException(String.valueOf(sent.cause()).replace('\0', '@'), sent.cause());
    }
  }
}
