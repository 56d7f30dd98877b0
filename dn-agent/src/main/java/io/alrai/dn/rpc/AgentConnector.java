package io.alrai.dn.rpc;

import io.alrai.common.error.AlraiException;
import io.alrai.common.error.ErrorCode;
import io.alrai.common.id.DnId;
import io.alrai.common.id.NodeId;
import io.alrai.common.secret.ClusterSecret;
import io.alrai.dn.ask.AskLine;
import io.alrai.dn.backend.BackendConnector;
import io.alrai.dn.backend.PipelinedBranch;
import io.alrai.dn.backend.PoolLimits;
import io.alrai.dn.clock.NodeClock;
import io.alrai.dn.link.BackendAccount;
import io.alrai.dn.link.Branch;
import io.alrai.dn.link.BranchState;
import io.alrai.dn.link.BranchTaker;
import io.alrai.dn.rpc.tls.EnvelopeTls;
import io.alrai.dn.rpc.wire.DataFramer;
import io.alrai.dn.rpc.wire.Message;
import io.alrai.dn.rpc.wire.Proofs;
import io.alrai.dn.rpc.wire.Purpose;
import io.netty.bootstrap.Bootstrap;
import io.netty.channel.Channel;
import io.netty.channel.ChannelFuture;
import io.netty.channel.ChannelInitializer;
import io.netty.channel.ChannelOption;
import io.netty.channel.EventLoop;
import io.netty.channel.epoll.EpollChannelOption;
import io.netty.channel.epoll.EpollSocketChannel;
import java.net.InetSocketAddress;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;

/** Opens connections to the agent of one DN. Thread-safe. */
final class AgentConnector implements BackendConnector {
  private static final int CONNECT_MILLIS = 3_000;

  /** One of several; another one may lead by then. */
  private static final int CONNECT_MEMBER_MILLIS = 1_000;

  private static final int AGAIN_MILLIS = 20;

  private static final int IDLE_SECONDS = 5;
  private static final int PROBES = 3;

  private final DnId dn;
  private final CallerContext caller;
  private final EnvelopeTls tls;
  private final Map<Branch, AgentChannel> branches = new ConcurrentHashMap<>();

  /**
   * A connector.
   *
   * @param seeker asked for each connection, so that an agent may move, or another one lead
   */
  AgentConnector(LeaderSeeker seeker, DnId dn, ClusterSecret secret, NodeId node, NodeClock clock) {
    this.dn = dn;
    this.caller =
        new CallerContext(
            dn, node, new Proofs(secret), clock, new HighestStamp(), new Peers.Peer(), seeker);
    this.tls = new EnvelopeTls(dn, secret);
  }

  /**
   * A call about a branch that this connector opened, on its connection.
   *
   * @return as {@link AgentChannel#call}
   */
  CompletableFuture<Message> call(Branch branch, Message request, long boundMillis) {
    PipelinedBranch mysqlds = (PipelinedBranch) branch;
    if (mysqlds.alive() && !mysqlds.secondStatements().areTaken()) {
      // the agent speaks on the connection itself, and takes the next reply for its own
      return mysqlds
          .secondStatements()
          .take()
          .handle((told, lost) -> call(branch, request, boundMillis))
          .thenCompose(Function.identity());
    }
    AgentChannel agent = branches.get(branch);
    return agent != null
        ? agent.call(request, boundMillis)
        : CompletableFuture.failedFuture(
            new AgentChannel.Lost(
                new AlraiException(
                    ErrorCode.ALRAI_NODE_UNAVAILABLE,
                    "the connection to the agent of " + dn + " broke")));
  }

  /** The agent has begun a transaction on a branch, or ended one. */
  static void transaction(Branch branch, boolean begun) {
    ((PipelinedBranch) branch).transaction(begun);
  }

  /** The agent's end of the connections. */
  Peers.Peer peer() {
    return caller.peer();
  }

  /** The largest stamp that came over any connection; 0 for none. */
  long visibleStamp() {
    return caller.visible().value();
  }

  @Override
  public void open(
      EventLoop loop, BackendAccount account, PipelinedBranch.Home home, BranchTaker taker) {
    follow(
        loop,
        Purpose.of(account),
        new AgentChannel.Listener() {
          @Override
          public void ready(AgentChannel agent, long connectionId) {
            PipelinedBranch branch = branch(agent, connectionId, home);
            if (!account.takesSeveral()) {
              branch.secondStatements().notAskedFor();
            }
            taker.taken(branch);
          }

          @Override
          public void refused(AlraiException reason) {
            taker.refused(reason);
          }
        });
  }

  /** Opens a branch to the mysqld of a member that follows. */
  void openReplica(
      EventLoop loop, InetSocketAddress place, PipelinedBranch.Home home, BranchTaker taker) {
    open(
        loop,
        Purpose.REPLICA,
        place,
        new AgentChannel.Listener() {
          @Override
          public void ready(AgentChannel agent, long connectionId) {
            taker.taken(branch(agent, connectionId, home));
          }

          @Override
          public void refused(AlraiException reason) {
            taker.refused(reason);
          }
        });
  }

  private PipelinedBranch branch(AgentChannel agent, long connectionId, PipelinedBranch.Home home) {
    Channel channel = agent.channel();
    PipelinedBranch branch = new PipelinedBranch(dn, channel, connectionId, home, agent);
    channel.pipeline().addLast(new DataFramer(caller.clock(), branch.state()), branch);
    agent.carries(branch.state());
    branch.state().term(agent.term());
    branch.state().goesThroughAgent();
    branches.put(branch, agent);
    channel.closeFuture().addListener(closed -> branches.remove(branch));
    return branch;
  }

  @Override
  public long downNanos(PoolLimits limits) {
    LeaderSeeker seeker = caller.seeker();
    return seeker.alone()
        ? limits.waitNanos()
        : Math.min(limits.waitNanos(), seeker.failoverWait().toNanos());
  }

  /** Who leads. */
  LeaderSeeker seeker() {
    return caller.seeker();
  }

  /** Opens a connection for calls only, to any member; on the loop, as is the listener's call. */
  void openControl(EventLoop loop, InetSocketAddress place, AgentChannel.Listener listener) {
    open(loop, Purpose.CONTROL, place, listener);
  }

  /** Opens a connection to a member as such; on the loop, as is the listener's call. */
  void openMember(EventLoop loop, InetSocketAddress place, AgentChannel.Listener listener) {
    loop.execute(() -> open(loop, Purpose.MEMBER, place, listener));
  }

  /** Opens one over which a voter's log comes; on the loop, as is the listener's call. */
  void openLearner(EventLoop loop, InetSocketAddress place, AgentChannel.Listener listener) {
    loop.execute(() -> open(loop, Purpose.LEARN, place, listener));
  }

  /** Opens one to a member's mysqld, whose bytes come undecoded; on the loop. */
  void openRows(EventLoop loop, InetSocketAddress place, AgentChannel.Listener listener) {
    loop.execute(() -> open(loop, Purpose.ROWS, place, listener));
  }

  /** Opens a connection over which the log comes; on the loop, as is the listener's call. */
  void openLog(EventLoop loop, AgentChannel.Listener listener) {
    follow(loop, Purpose.LOG, listener);
  }

  /** Opens one that asks for kept replies; on the loop, as is the listener's call. */
  void openKept(EventLoop loop, AgentChannel.Listener listener) {
    openRecords(loop, Purpose.KEPT, listener);
  }

  /** Opens one that asks other nodes; on the loop, as is the call. */
  void openAsk(EventLoop loop, AskLine.Opening opening) {
    openRecords(
        loop,
        Purpose.ASK,
        new AgentChannel.Listener() {
          @Override
          public void ready(AgentChannel agent, long connectionId) {
            opening.opened(agent.channel());
          }

          @Override
          public void refused(AlraiException reason) {
            opening.refused(reason);
          }
        });
  }

  private void openRecords(EventLoop loop, Purpose purpose, AgentChannel.Listener listener) {
    follow(
        loop,
        purpose,
        new AgentChannel.Listener() {
          @Override
          public void ready(AgentChannel agent, long connectionId) {
            BranchState none = new BranchState();
            agent.channel().pipeline().addLast(new DataFramer(caller.clock(), none));
            listener.ready(agent, connectionId);
          }

          @Override
          public void refused(AlraiException reason) {
            listener.refused(reason);
          }
        });
  }

  /** Whether nothing that the agent keeps is found while a branch has tables locked. */
  CompletableFuture<Void> suspend(Branch locking, boolean on, long boundMillis) {
    AgentChannel agent = branches.get(locking);
    if (agent == null) {
      return CompletableFuture.completedFuture(null); // with its end its locks are gone
    }
    return agent
        .call(new Message.Suspend(on), boundMillis)
        .thenAccept(done -> {})
        .exceptionallyCompose(ControlConnection::unavailable);
  }

  /** Opens one over which the log comes from a follower; on the loop, as is the listener's call. */
  void openFeed(EventLoop loop, InetSocketAddress place, AgentChannel.Listener listener) {
    open(loop, Purpose.FEED, place, listener);
  }

  /** Opens one to the leader, whoever that is before the time is up. */
  private void follow(EventLoop loop, Purpose purpose, AgentChannel.Listener listener) {
    long bound = caller.seeker().failoverWait().toNanos();
    follow(loop, purpose, loop.ticker().nanoTime() + bound, listener);
  }

  private void follow(
      EventLoop loop, Purpose purpose, long untilNanos, AgentChannel.Listener listener) {
    long leftNanos = untilNanos - loop.ticker().nanoTime();
    caller
        .seeker()
        .follow(
            loop,
            leftNanos,
            new LeaderSeeker.Follower() {
              @Override
              public void found(InetSocketAddress leader) {
                boolean alone = caller.seeker().alone();
                open(
                    loop,
                    purpose,
                    leader,
                    alone ? listener : again(loop, purpose, untilNanos, listener));
              }

              @Override
              public void notFound(AlraiException reason) {
                listener.refused(reason);
              }
            });
  }

  /** As the listener, but what is missed at one is sought elsewhere while there is time. */
  private AgentChannel.Listener again(
      EventLoop loop, Purpose purpose, long untilNanos, AgentChannel.Listener listener) {
    return new AgentChannel.Listener() {
      @Override
      public void ready(AgentChannel channel, long connectionId) {
        listener.ready(channel, connectionId);
      }

      @Override
      public void refused(AlraiException reason) {
        listener.refused(reason);
      }

      @Override
      public void missed(AlraiException reason) {
        if (untilNanos - loop.ticker().nanoTime() > 0) {
          loop.schedule(
              () -> follow(loop, purpose, untilNanos, listener),
              AGAIN_MILLIS,
              TimeUnit.MILLISECONDS);
        } else {
          listener.refused(reason);
        }
      }
    };
  }

  private void open(
      EventLoop loop, Purpose purpose, InetSocketAddress place, AgentChannel.Listener listener) {
    AgentChannel agent = new AgentChannel(caller, purpose, place, listener);
    int connectMillis = caller.seeker().alone() ? CONNECT_MILLIS : CONNECT_MEMBER_MILLIS;
    new Bootstrap()
        .group(loop)
        .channel(EpollSocketChannel.class)
        .option(ChannelOption.TCP_NODELAY, true)
        .option(ChannelOption.SO_KEEPALIVE, true)
        .option(ChannelOption.CONNECT_TIMEOUT_MILLIS, connectMillis)
        .option(EpollChannelOption.TCP_KEEPIDLE, IDLE_SECONDS)
        .option(EpollChannelOption.TCP_KEEPINTVL, IDLE_SECONDS)
        .option(EpollChannelOption.TCP_KEEPCNT, PROBES)
        .handler(
            new ChannelInitializer<Channel>() {
              @Override
              protected void initChannel(Channel channel) {
                // waits for the connection, so that a refused one has no handler to fail
              }
            })
        .connect(place)
        .addListener((ChannelFuture done) -> {
          if (done.isSuccess()) {
            tls.call(done.channel(), place);
            done.channel().pipeline().addLast(agent);
          } else {
            listener.missed(
                new AlraiException(
                    ErrorCode.ALRAI_NODE_UNAVAILABLE,
                    "the agent of " + dn + " cannot be reached",
                    done.cause()));
          }
        });
  }
}
