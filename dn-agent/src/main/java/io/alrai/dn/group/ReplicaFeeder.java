package io.alrai.dn.group;

import io.alrai.common.error.AlraiException;
import io.alrai.common.error.ErrorCode;
import io.alrai.common.wire.Scramble;
import io.alrai.dn.binlog.Gtid;
import io.netty.bootstrap.ServerBootstrap;
import io.netty.channel.Channel;
import io.netty.channel.ChannelFuture;
import io.netty.channel.ChannelInitializer;
import io.netty.channel.ChannelOption;
import io.netty.channel.EventLoop;
import io.netty.channel.WriteBufferWaterMark;
import io.netty.channel.epoll.EpollServerSocketChannel;
import io.netty.channel.group.ChannelGroup;
import io.netty.channel.group.DefaultChannelGroup;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.security.SecureRandom;
import java.util.Base64;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * The replication source of a member's own mysqld (docs/design/0073): a port of the loopback
 * address where a stock mysqld that follows finds all that the group has committed, and nothing
 * else. Whoever knows the password of this process is let in; it is never written to a file of the
 * agent's. Thread-safe.
 */
public final class ReplicaFeeder implements AutoCloseable {
  /** The account that the mysqld logs in with. */
  public static final String USER = "alrai_feeder";

  /** Where it listens. */
  static final String HOST = "127.0.0.1";

  /** Larger than any that a member can have. */
  static final int SERVER_ID = 0xffff_fffe;

  private static final int PASSWORD_BYTES = 24;
  private static final int BACKLOG = 16;
  private static final int LOW_BYTES = 1 << 20;
  private static final int HIGH_BYTES = 2 << 20;

  private final String group;
  private final FeedSource source;
  private final EventLoop loop;
  private final LongSupplier wallMillis;
  private final UUID uuid;
  private final String password;
  private final String digest;
  private final ChannelGroup connections;
  private final AtomicReference<@Nullable Channel> current = new AtomicReference<>();
  private final AtomicReference<@Nullable Gtid> last = new AtomicReference<>();
  private final AtomicLong sentBytes = new AtomicLong();
  private final FeedHold hold = new FeedHold();
  private volatile @Nullable Channel listening;

  /**
   * A feeder that does not listen yet.
   *
   * @param group its name; all members of a group state the same source
   * @param source what is sent
   * @param loop of its connections
   * @param wallMillis the time that it states
   */
  public ReplicaFeeder(String group, FeedSource source, EventLoop loop, LongSupplier wallMillis) {
    this.group = group;
    this.source = source;
    this.loop = loop;
    this.wallMillis = wallMillis;
    // made from a name, which no mysqld's is
    this.uuid = UUID.nameUUIDFromBytes(("feeder of " + group).getBytes(StandardCharsets.UTF_8));
    byte[] random = new byte[PASSWORD_BYTES];
    new SecureRandom().nextBytes(random);
    this.password = Base64.getUrlEncoder().withoutPadding().encodeToString(random);
    this.digest = Scramble.digest(Scramble.SHA2, password.getBytes(StandardCharsets.US_ASCII));
    this.connections = new DefaultChannelGroup(loop);
  }

  /**
   * Listens on a free port.
   *
   * @throws AlraiException when there is none
   */
  public void start() {
    ChannelFuture bound =
        new ServerBootstrap()
            .group(loop)
            .channel(EpollServerSocketChannel.class)
            .option(ChannelOption.SO_BACKLOG, BACKLOG)
            .childOption(ChannelOption.TCP_NODELAY, true)
            .childOption(
                ChannelOption.WRITE_BUFFER_WATER_MARK,
                new WriteBufferWaterMark(LOW_BYTES, HIGH_BYTES))
            .childHandler(
                new ChannelInitializer<Channel>() {
                  @Override
                  protected void initChannel(Channel channel) {
                    connections.add(channel);
                    channel.pipeline().addLast(new ReplicaSession(ReplicaFeeder.this));
                  }
                })
            .bind(new InetSocketAddress(HOST, 0))
            .awaitUninterruptibly();
    if (!bound.isSuccess()) {
      throw new AlraiException(
          ErrorCode.ALRAI_NODE_UNAVAILABLE,
          "the agent of " + group + " cannot listen for its mysqld",
          bound.cause());
    }
    listening = bound.channel();
  }

  /**
   * Where it listens.
   *
   * @throws IllegalStateException before {@link #start}
   */
  public int port() {
    Channel server = listening;
    if (server == null) {
      throw new IllegalStateException("the feeder of " + group + " does not listen");
    }
    return ((InetSocketAddress) server.localAddress()).getPort();
  }

  /** What {@link #USER} logs in with; ASCII letters, digits, - and _. */
  public String password() {
    return password;
  }

  /** The last transaction that was given to a connection, of which the mysqld may have less. */
  public Optional<Gtid> lastSent() {
    return Optional.ofNullable(last.get());
  }

  /** Up to where it feeds. */
  public FeedHold hold() {
    return hold;
  }

  String group() {
    return group;
  }

  FeedSource source() {
    return source;
  }

  UUID uuid() {
    return uuid;
  }

  String digest() {
    return digest;
  }

  long unixSeconds() {
    return wallMillis.getAsLong() / 1_000;
  }

  /** A replica asks for the log on this connection: an older one is forgotten by it. */
  void began(Channel channel) {
    last.set(null); // what an earlier life of the mysqld had got says nothing of this one
    Channel older = current.getAndSet(channel);
    if (older != null) {
      older.close();
    }
  }

  /** How much all connections took; grows while anything is sent but heartbeats. */
  long sentBytes() {
    return sentBytes.get();
  }

  void sent(int bytes) {
    sentBytes.addAndGet(bytes);
  }

  void sent(Gtid gtid) {
    last.set(gtid);
  }

  /** Feeds nobody any more. Not on an event loop. */
  @Override
  public void close() {
    Channel server = listening;
    if (server != null) {
      server.close().awaitUninterruptibly();
    }
    connections.close().awaitUninterruptibly();
  }
}
