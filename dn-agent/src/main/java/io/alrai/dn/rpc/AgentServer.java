package io.alrai.dn.rpc;

import io.alrai.common.error.AlraiException;
import io.alrai.common.error.ErrorCode;
import io.alrai.common.id.DnId;
import io.alrai.common.secret.ClusterSecret;
import io.alrai.dn.ask.AskExchange;
import io.alrai.dn.clock.NodeClock;
import io.alrai.dn.link.ServerCounts;
import io.alrai.dn.rpc.tls.EnvelopeTls;
import io.alrai.dn.rpc.wire.LeaderHint;
import io.alrai.dn.rpc.wire.Proofs;
import io.netty.bootstrap.ServerBootstrap;
import io.netty.channel.Channel;
import io.netty.channel.ChannelFuture;
import io.netty.channel.ChannelInitializer;
import io.netty.channel.ChannelOption;
import io.netty.channel.EventLoopGroup;
import io.netty.channel.epoll.EpollChannelOption;
import io.netty.channel.epoll.EpollServerSocketChannel;
import io.netty.channel.group.ChannelGroup;
import io.netty.channel.group.DefaultChannelGroup;
import io.netty.util.concurrent.GlobalEventExecutor;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The agent as a process of its own: accepts the envelope's connections of CNs and other agents.
 * Each branch gets a connection to the mysqld on the same event loop; bytes pass in both directions
 * undecoded. As old as its process: it serves while its agent {@link #lead leads}, and says who
 * does while it does not. Thread-safe.
 */
public final class AgentServer implements AutoCloseable {
  private static final Logger log = LoggerFactory.getLogger(AgentServer.class);
  private static final int BACKLOG = 1_024;
  private static final int IDLE_SECONDS = 5;
  private static final int PROBES = 3;
  private static final long LOOK_MILLIS = 1_000;

  private final Leadership leadership = new Leadership();
  private final AgentContext context;
  private final EnvelopeTls tls;
  private final EventLoopGroup loops;
  private final ChannelGroup connections = new DefaultChannelGroup(GlobalEventExecutor.INSTANCE);
  private @Nullable Channel listening;
  private @Nullable ScheduledFuture<?> looking;

  /** Connections of those who followed a GMS before this generation are ended; of one loop. */
  private long ended;

  /**
   * An agent's server, which does not lead yet; {@link #start} makes it listen.
   *
   * @param clock the DN's
   * @param peers learns whom it hears
   * @param loops epoll loops
   */
  public AgentServer(
      DnId dn,
      ClusterSecret secret,
      NodeClock clock,
      Peers peers,
      EventLoopGroup loops,
      ServerCounts counts) {
    this.context =
        new AgentContext(
            dn, new Proofs(secret), leadership, clock, peers, new AskExchange(), counts);
    this.tls = new EnvelopeTls(dn, secret);
    this.loops = loops;
  }

  /** What it is in its group. */
  public void member(GroupMembership member) {
    leadership.member(member);
  }

  /**
   * Refuses callers that follow an earlier generation of the GMS, and ends their connections within
   * a second after it has heard of a later one.
   *
   * @param generation the latest that the agent has heard of
   */
  public void follows(LongSupplier generation) {
    leadership.follows(generation);
  }

  /** The agent leads: that is what is served from now on. Sessions of an earlier term end. */
  public void lead(Leading leading) {
    leadership.lead(leading);
  }

  /**
   * The agent does not lead: all sessions end at once.
   *
   * @param other who does
   */
  public void follow(LeaderHint other) {
    leadership.follow(other);
  }

  /**
   * The agent is about to give its lead away: the mysqld answers what it was sent, and is sent
   * nothing more; no session begins until somebody leads.
   *
   * @param bound what the mysqld has not answered by then is not waited for
   * @return whether all is answered
   */
  public CompletableFuture<Boolean> leave(Duration bound) {
    return leadership.leave(bound);
  }

  /**
   * After {@link #leave}: the mysqld has been alive, so whatever it had closed in time it had
   * answered before. These sessions end.
   *
   * @return completes when all of them have heard it; whether no others are at work
   */
  public CompletableFuture<Boolean> left() {
    return leadership.left();
  }

  /**
   * Listens.
   *
   * @param address port 0 for any free one
   * @return where it listens
   * @throws AlraiException when the address is taken or not of this host
   */
  public InetSocketAddress start(InetSocketAddress address) {
    ChannelFuture bound =
        new ServerBootstrap()
            .group(loops)
            .channel(EpollServerSocketChannel.class)
            .option(ChannelOption.SO_BACKLOG, BACKLOG)
            .option(ChannelOption.SO_REUSEADDR, true)
            .childOption(ChannelOption.TCP_NODELAY, true)
            .childOption(ChannelOption.SO_KEEPALIVE, true)
            .childOption(EpollChannelOption.TCP_KEEPIDLE, IDLE_SECONDS)
            .childOption(EpollChannelOption.TCP_KEEPINTVL, IDLE_SECONDS)
            .childOption(EpollChannelOption.TCP_KEEPCNT, PROBES)
            .childHandler(
                new ChannelInitializer<Channel>() {
                  @Override
                  protected void initChannel(Channel channel) {
                    connections.add(channel);
                    tls.accept(channel);
                    channel.pipeline().addLast(new AgentSession(context));
                  }
                })
            .bind(address)
            .awaitUninterruptibly();
    if (!bound.isSuccess()) {
      throw new AlraiException(
          ErrorCode.ALRAI_NODE_UNAVAILABLE,
          "the agent of " + context.dn() + " cannot listen on " + address,
          bound.cause());
    }
    listening = bound.channel();
    looking =
        loops
            .next()
            .scheduleWithFixedDelay(
                this::endEarlier, LOOK_MILLIS, LOOK_MILLIS, TimeUnit.MILLISECONDS);
    InetSocketAddress actual = (InetSocketAddress) bound.channel().localAddress();
    log.info("the agent of {} listens on {}", context.dn(), actual);
    return actual;
  }

  private void endEarlier() {
    long generation = leadership.gmsGeneration();
    if (generation == ended) {
      return;
    }
    ended = generation;
    List<Channel> earlier =
        connections.stream()
            .filter(connection -> AgentContext.isEarlier(connection, generation))
            .toList();
    if (!earlier.isEmpty()) {
      log.warn(
          "the agent of {} ends {} connections: the GMS that was followed when they were opened is"
              + " over, one of its nodes was made the GMS by force, in generation {}",
          context.dn(),
          earlier.size(),
          generation);
    }
    earlier.forEach(Channel::close);
  }

  /** Connections of CNs and agents now. */
  public int connections() {
    return connections.size();
  }

  /** Ends all connections; open transactions are rolled back by the mysqld. */
  @Override
  public void close() {
    ScheduledFuture<?> looks = looking;
    if (looks != null) {
      looks.cancel(false);
    }
    Channel server = listening;
    if (server != null) {
      server.close().awaitUninterruptibly();
    }
    connections.close().awaitUninterruptibly();
  }
}
