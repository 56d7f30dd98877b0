package io.alrai.dn.role;

import io.alrai.common.id.DnId;
import io.alrai.common.id.NodeId;
import io.alrai.common.metrics.Metrics;
import io.alrai.common.secret.ClusterSecret;
import io.alrai.common.time.HybridLogicalClock;
import io.alrai.dn.backend.PoolLimits;
import io.alrai.dn.clock.NodeClock;
import io.alrai.dn.link.DonorLogin;
import io.alrai.dn.link.Donors;
import io.alrai.dn.link.MemberStatus;
import io.alrai.dn.link.ServerCounts;
import io.alrai.dn.rpc.AgentServer;
import io.alrai.dn.rpc.KnownMembers;
import io.alrai.dn.rpc.Peers;
import io.alrai.dn.rpc.RemoteDnLink;
import io.alrai.dn.ship.DnLog;
import io.netty.channel.Channel;
import io.netty.channel.EventLoopGroup;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;
import java.util.function.Supplier;

/**
 * What a member's agent says to others.
 *
 * @param address where it listens
 */
record MemberServer(AgentServer server, InetSocketAddress address) implements AutoCloseable {
  private static final ClusterSecret SECRET = new ClusterSecret("a secret of members of tests");
  private static final InetSocketAddress NOWHERE = new InetSocketAddress("127.0.0.1", 1);

  /**
   * Makes a member's server.
   *
   * @param metrics of the member
   * @param log of the DN, at whoever leads
   */
  static MemberServer of(
      GroupAgent agent,
      String name,
      DnId dn,
      EventLoopGroup loops,
      Metrics metrics,
      Supplier<Optional<DnLog>> log) {
    AgentServer server =
        new AgentServer(
            dn,
            SECRET,
            agent.clock(),
            new Peers(System::nanoTime),
            loops,
            ServerCounts.of(metrics, dn));
    server.member(new AgentMembership(agent, name, agent.reads(log)));
    return new MemberServer(server, server.start(new InetSocketAddress("127.0.0.1", 0)));
  }

  /**
   * The members, as far as their agents run.
   *
   * @param relayed is given the member of each connection
   */
  static Donors donors(
      DnId dn, Map<String, MemberServer> servers, EventLoopGroup loops, Consumer<String> relayed) {
    Donors remote = link(dn, servers, NOWHERE, loops).donors();
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

  /**
   * A way to the members, as far as their agents run.
   *
   * @param leader the place of the one that is said to lead
   */
  static RemoteDnLink link(
      DnId dn, Map<String, MemberServer> servers, InetSocketAddress leader, EventLoopGroup loops) {
    return new RemoteDnLink(
        dn,
        () ->
            new KnownMembers(
                servers.entrySet().stream()
                    .map(each -> new KnownMembers.Member(each.getKey(), each.getValue().address()))
                    .toList(),
                leader,
                0),
        SECRET,
        new NodeId("test"),
        NodeClock.inMemory(new HybridLogicalClock(System::currentTimeMillis)),
        loops,
        new PoolLimits(4, 4, Duration.ofSeconds(10).toNanos()),
        () -> {});
  }

  @Override
  public void close() {
    server.close();
  }
}
