package io.alrai.dn.role;

import io.alrai.common.id.DnId;
import io.alrai.common.id.NodeId;
import io.alrai.common.secret.ClusterSecret;
import io.alrai.common.time.HlcTimestamp;
import io.alrai.common.time.HybridLogicalClock;
import io.alrai.dn.backend.PoolLimits;
import io.alrai.dn.clock.NodeClock;
import io.alrai.dn.link.CommitFate;
import io.alrai.dn.link.DonorLogin;
import io.alrai.dn.link.Donors;
import io.alrai.dn.link.MemberStatus;
import io.alrai.dn.rpc.AgentServer;
import io.alrai.dn.rpc.GroupMembership;
import io.alrai.dn.rpc.KnownMembers;
import io.alrai.dn.rpc.LeaderHint;
import io.alrai.dn.rpc.Peers;
import io.alrai.dn.rpc.RemoteDnLink;
import io.netty.channel.Channel;
import io.netty.channel.EventLoopGroup;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.Consumer;

/**
 * What a member's agent says to others.
 *
 * @param address where it listens
 */
record MemberServer(AgentServer server, InetSocketAddress address) implements AutoCloseable {
  private static final ClusterSecret SECRET = new ClusterSecret("a secret of members of tests");
  private static final InetSocketAddress NOWHERE = new InetSocketAddress("127.0.0.1", 1);

  static MemberServer of(GroupAgent agent, DnId dn, EventLoopGroup loops) {
    AgentServer server =
        new AgentServer(
            dn, SECRET, agent.clock(), new Peers(System::nanoTime), loops, new LongAdder());
    server.member(new Membership(agent));
    return new MemberServer(server, server.start(new InetSocketAddress("127.0.0.1", 0)));
  }

  /**
   * The members, as far as their agents run.
   *
   * @param relayed is given the member of each connection
   */
  static Donors donors(
      DnId dn, Map<String, MemberServer> servers, EventLoopGroup loops, Consumer<String> relayed) {
    Donors remote = remote(dn, servers, loops);
    return new Donors() {
      @Override
      public List<String> names() {
        return remote.names();
      }

      @Override
      public CompletableFuture<MemberStatus> ask(String member) {
        return remote.ask(member);
      }

      @Override
      public CompletableFuture<DonorLogin> offer(String member) {
        return remote.offer(member);
      }

      @Override
      public void relay(String member, Channel recipient, Runnable lost) {
        remote.relay(member, recipient, lost);
        relayed.accept(member);
      }
    };
  }

  private static Donors remote(DnId dn, Map<String, MemberServer> servers, EventLoopGroup loops) {
    return new RemoteDnLink(
            dn,
            () ->
                new KnownMembers(
                    servers.entrySet().stream()
                        .map(each ->
                            new KnownMembers.Member(each.getKey(), each.getValue().address()))
                        .toList(),
                    NOWHERE,
                    0),
            SECRET,
            new NodeId("test"),
            NodeClock.inMemory(new HybridLogicalClock(System::currentTimeMillis)),
            loops,
            new PoolLimits(1, 1, Duration.ofSeconds(1).toNanos()),
            () -> {})
        .donors();
  }

  @Override
  public void close() {
    server.close();
  }

  private record Membership(GroupAgent agent) implements GroupMembership {
    private static <T> CompletableFuture<T> asked(Callable<T> question) {
      return CompletableFuture.supplyAsync(
          () -> {
            try {
              return question.call();
            } catch (Exception e) {
              throw new CompletionException(e);
            }
          },
          Thread::startVirtualThread);
    }

    @Override
    public CompletableFuture<MemberStatus> status() {
      return asked(agent::status);
    }

    @Override
    public LeaderHint leader() {
      return LeaderHint.NOBODY;
    }

    @Override
    public CommitFate fate(long term, long connection, HlcTimestamp sent) {
      return agent.fate(term, connection, sent);
    }

    @Override
    public CompletableFuture<Void> changeLeader(String to) {
      return agent.changeLeader(to);
    }

    @Override
    public CompletableFuture<Boolean> add(String member, String address, boolean keepsRows) {
      return CompletableFuture.failedFuture(new UnsupportedOperationException());
    }

    @Override
    public CompletableFuture<Void> drop(String member) {
      return CompletableFuture.failedFuture(new UnsupportedOperationException());
    }

    @Override
    public CompletableFuture<DonorLogin> offerRows() {
      return asked(agent::offerRows);
    }

    @Override
    public Path mysqld() {
      return agent.supervisor().socketPath();
    }

    @Override
    public CompletableFuture<Void> rebuild() {
      return asked(() -> {
        agent.rebuild();
        return null;
      });
    }
  }
}
