package io.alrai.dn.rpc;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertSame;

import io.alrai.common.error.AlraiException;
import io.alrai.common.id.NodeId;
import io.alrai.common.secret.ClusterSecret;
import io.alrai.common.sql.Sql;
import io.alrai.common.time.HybridLogicalClock;
import io.alrai.dn.backend.Answer;
import io.alrai.dn.backend.Inquiries;
import io.alrai.dn.backend.PoolLimits;
import io.alrai.dn.clock.NodeClock;
import io.alrai.dn.clock.WallTime;
import io.alrai.dn.link.BackendAccount;
import io.alrai.dn.link.Branch;
import io.alrai.dn.link.BranchTaker;
import io.alrai.dn.xa.RealNode;
import io.netty.channel.EventLoop;
import io.netty.channel.MultiThreadIoEventLoopGroup;
import io.netty.channel.epoll.EpollIoHandler;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A CN's pool of branches over the agent of a real mysqld: it does what a pool beside it does. */
@Timeout(120)
final class RemoteDnLinkIT {
  private static final ClusterSecret SECRET = new ClusterSecret("open sesame, but at more length");
  private static final NodeId CN = new NodeId("cn-1");

  @TempDir Path directory;

  private final MultiThreadIoEventLoopGroup loops =
      new MultiThreadIoEventLoopGroup(2, EpollIoHandler.newFactory());
  private final EventLoop loop = (EventLoop) loops.iterator().next();
  private final NodeClock clock =
      NodeClock.inMemory(new HybridLogicalClock(WallTime.system(), 500));
  private RealNode node;
  private AgentServer server;
  private InetSocketAddress address;
  private RemoteDnLink link;

  @BeforeEach
  void start() throws Exception {
    node = new RealNode("dn-1", 1, directory, loops, dn -> node.participant());
    server =
        LeadingServer.of(
            node.dn(),
            SECRET,
            node.connector(),
            node.participant(),
            new FakeViews(),
            new FakeLog(node.dn()),
            node.clock(),
            loops);
    address = server.start(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));
    link =
        new RemoteDnLink(
            node.dn(),
            () -> KnownMembers.alone(address),
            SECRET,
            CN,
            clock,
            loops,
            new PoolLimits(10, 4, Duration.ofSeconds(10).toNanos()),
            () -> {});
  }

  @AfterEach
  void stop() throws Exception {
    link.close();
    server.close();
    node.close();
    loops.shutdownGracefully(0, 1, TimeUnit.SECONDS).awaitUninterruptibly();
  }

  @Test
  void whoNeedsSettingsGetsABranchThatHasThem() throws Exception {
    Object settings = new Object();
    Branch with = RealNode.take(link, loop);
    Branch without = RealNode.take(link, loop);
    CompletableFuture<Branch> taken = new CompletableFuture<>();
    loop.execute(() -> {
      with.state().settings(settings);
      with.release();
      without.release();
      link.take(
          loop,
          BackendAccount.DATA,
          "",
          settings,
          new BranchTaker() {
            @Override
            public void taken(Branch branch) {
              taken.complete(branch);
            }

            @Override
            public void refused(AlraiException reason) {
              taken.completeExceptionally(reason);
            }
          });
    });
    assertSame(with, RealNode.get(taken));
  }

  /** So it finds out that a reply will never come; it knows its branches by the same numbers. */
  @Test
  void theMysqldSaysWhatItDoesForABranch() throws Exception {
    Branch branch = RealNode.take(link, loop);
    long id = branch.serverConnectionId();
    Inquiries inquiries =
        new Inquiries(
            loop,
            new AgentConnector(
                new LeaderSeeker(
                    node.dn(),
                    () -> KnownMembers.alone(address),
                    Duration.ofSeconds(5),
                    Duration.ofSeconds(20)),
                node.dn(),
                SECRET,
                CN,
                clock));
    assertEquals(Optional.of(Map.of(id, "IDLE")), inquiries.ask(List.of(id)));
    loop.execute(() -> Answer.of(branch, Sql.of("SELECT SLEEP(100)")));
    while (!inquiries.ask(List.of(id)).equals(Optional.of(Map.of(id, "AT_WORK")))) {
      Thread.onSpinWait();
    }
    loop.execute(branch::close);
    while (!inquiries.ask(List.of(id)).equals(Optional.of(Map.of()))) {
      Thread.onSpinWait();
    }
    inquiries.end();
  }
}
