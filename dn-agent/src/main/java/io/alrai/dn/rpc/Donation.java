package io.alrai.dn.rpc;

import io.alrai.common.error.AlraiException;
import io.alrai.common.error.ErrorCode;
import io.netty.bootstrap.Bootstrap;
import io.netty.channel.Channel;
import io.netty.channel.ChannelFuture;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.ChannelOption;
import io.netty.channel.epoll.EpollDomainSocketChannel;
import io.netty.channel.unix.DomainSocketAddress;
import java.nio.file.Path;
import java.util.function.Consumer;

/** A connection of the envelope that is relayed to this member's mysqld. Event loop only. */
final class Donation {
  private static final int CONNECT_MILLIS = 5_000;

  private Donation() {}

  /**
   * Connects with the mysqld.
   *
   * @param begun called before the first byte of it is read
   * @param refused called when it does not answer
   */
  static void begin(
      Channel envelope, Path mysqld, Runnable begun, Consumer<AlraiException> refused) {
    new Bootstrap()
        .group(envelope.eventLoop())
        .channel(EpollDomainSocketChannel.class)
        .option(ChannelOption.CONNECT_TIMEOUT_MILLIS, CONNECT_MILLIS)
        .option(ChannelOption.AUTO_READ, false)
        .handler(new ChannelInboundHandlerAdapter())
        .connect(new DomainSocketAddress(mysqld.toFile()))
        .addListener((ChannelFuture done) -> {
          if (!done.isSuccess()) {
            refused.accept(
                new AlraiException(
                    ErrorCode.ALRAI_NODE_UNAVAILABLE,
                    "the mysqld to be cloned does not answer",
                    done.cause()));
          } else if (!envelope.isActive()) {
            done.channel().close();
          } else {
            begun.run();
            RelayEnd.connect(envelope, done.channel());
          }
        });
  }
}
