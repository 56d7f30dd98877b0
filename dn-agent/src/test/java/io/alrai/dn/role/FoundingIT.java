package io.alrai.dn.role;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.alrai.common.error.AlraiException;
import io.alrai.common.error.ErrorCode;
import io.alrai.common.id.DnId;
import io.alrai.common.id.NodeId;
import io.alrai.common.id.TransactionId;
import io.alrai.common.metrics.Metrics;
import io.alrai.common.net.ListenPorts;
import io.alrai.dn.backend.Eventually;
import io.alrai.dn.backend.PoolLimits;
import io.alrai.dn.binlog.GtidSet;
import io.alrai.dn.group.Reservation;
import io.alrai.dn.link.BackendAccount;
import io.alrai.dn.link.Branch;
import io.alrai.dn.link.CommitParticipant;
import io.alrai.dn.link.CoordinatorPulse;
import io.alrai.dn.link.MemberStatus;
import io.alrai.dn.link.XaName;
import io.alrai.dn.mysqld.MysqldConfig;
import io.alrai.dn.mysqld.MysqldInstance;
import io.alrai.dn.raft.GroupConfig;
import io.alrai.dn.raft.GroupLog;
import io.alrai.dn.raft.GroupMember;
import io.alrai.dn.raft.GroupMember.Keeps;
import io.alrai.dn.raft.LogBounds;
import io.alrai.dn.ship.LogSubscription;
import io.alrai.dn.xa.RealNode;
import io.netty.channel.MultiThreadIoEventLoopGroup;
import io.netty.channel.epoll.EpollIoHandler;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A DN of one replica with a real mysqld becomes a group of one. */
class FoundingIT {
  private static final DnId DN = new DnId("dn-1");
  private static final DnId OTHER = new DnId("dn-2");
  private static final String ROWS = "SELECT a FROM d.t ORDER BY a";

  @TempDir Path directory;
  private final MultiThreadIoEventLoopGroup loops =
      new MultiThreadIoEventLoopGroup(2, EpollIoHandler.newFactory());
  private final GroupMember self;
  private final Listening told = new Listening();
  private boolean marked;
  private @Nullable DnAgent alone;
  private @Nullable GroupAgent grown;

  FoundingIT() throws IOException {
    self = new GroupMember("dn-1", "127.0.0.1:" + ListenPorts.free(), Keeps.ROWS);
  }

  private GroupConfig config() {
    return new GroupConfig(
        "test/dn-1",
        self,
        List.of(self),
        directory.resolve("log-of-dn-1"),
        Optional.empty(),
        Duration.ofMillis(300),
        Duration.ofMillis(600),
        LogBounds.standard());
  }

  private LeaderContext leading() {
    return new LeaderContext(
        new PoolLimits(20, 4, Duration.ofSeconds(10).toNanos()),
        this::participant,
        CoordinatorPulse.OF_THIS_PROCESS);
  }

  private CommitParticipant participant(DnId dn) {
    if (dn.equals(DN)) {
      return told.lead().link().participant();
    }
    throw new AlraiException(ErrorCode.ALRAI_NODE_UNAVAILABLE, dn + " is not known");
  }

  private MemberContext context() {
    return TestMembers.context(loops, new Metrics());
  }

  private DnAgent startAlone() {
    MysqldInstance instance =
        TestMembers.mysqld(directory.resolve("dn-1"), 1, MysqldConfig::withSemiSync);
    DnAgent started = DnAgent.start(DN, instance, context(), leading());
    alone = started;
    told.leads(0, started.lead(), Reservation.NONE);
    return started;
  }

  private GroupAgent startGrown() {
    MysqldInstance instance =
        TestMembers.mysqld(directory.resolve("dn-1"), 1, MysqldConfig::withGroup);
    GroupAgent joined =
        GroupAgent.join(DN, instance, context(), leading(), config(), Optional::empty);
    grown = joined;
    joined.start(told);
    return joined;
  }

  private GroupAgent found(DnAgent agent) throws InterruptedException {
    return agent.found(config(), Optional::empty, told, () -> marked = true);
  }

  @AfterEach
  void stop() throws Exception {
    end();
    loops.shutdownGracefully(0, 1, TimeUnit.SECONDS).await(2_000);
  }

  /** As kill -9 of the mysqld, and then of the agent. */
  private void end() {
    told.lead = null;
    DnAgent first = alone;
    alone = null;
    if (first != null) {
      first.supervisor().stopNow();
      first.close();
    }
    GroupAgent second = grown;
    grown = null;
    if (second != null) {
      second.supervisor().stopNow();
      second.close();
    }
  }

  private List<List<String>> run(String sql) throws Exception {
    Branch branch = RealNode.take(told.lead().link(), loops.next(), BackendAccount.ADMIN);
    try {
      return RealNode.run(branch, sql);
    } finally {
      branch.eventLoop().execute(branch::release);
    }
  }

  private void createTable() throws Exception {
    run("CREATE DATABASE d");
    run("CREATE TABLE d.t (a INT PRIMARY KEY)");
    run("INSERT INTO d.t VALUES (1)");
  }

  @Test
  void itIsAGroupWithoutAnotherMysqld() throws Exception {
    DnAgent agent = startAlone();
    createTable();
    run("FLUSH PRIVILEGES"); // executed, and nothing of it is in an engine
    prepare(new TransactionId(new NodeId("cn-1"), 1, 1, OTHER), 2);
    LogSubscription reader = told.lead().follow(new GtidSet());
    GtidSet seen = reader.position();
    reader.close();
    run("INSERT INTO d.t VALUES (3)");
    long process = agent.supervisor().pid().orElseThrow();
    GroupAgent member = found(agent);
    told.awaitTerm(1);
    assertTrue(marked);
    assertEquals(process, agent.supervisor().pid().orElseThrow(), "its mysqld stays");
    run("INSERT INTO d.t VALUES (4)");
    assertEquals("[[1], [3], [4]]", run(ROWS).toString());
    assertEquals(1, run("XA RECOVER").size());
    MemberStatus status = member.status();
    assertEquals("LEADING", status.state());
    assertEquals("", status.error());
    try (LogSubscription again = told.lead().follow(seen)) {
      assertTrue(again.next(Duration.ofSeconds(5)).isPresent(), "what it has missed");
      assertTrue(again.stamp().isPresent());
      assertTrue(again.next(Duration.ofSeconds(5)).isPresent(), "and what came then");
    }
    end();

    startGrown();
    told.awaitTerm(2);
    assertEquals("[[1], [3], [4]]", run(ROWS).toString());
    run("INSERT INTO d.t VALUES (5)");
    assertEquals(1, run("XA RECOVER").size(), "what was prepared before it was a group");
    assertEquals("", member(grown).status().error());
  }

  private static GroupAgent member(@Nullable GroupAgent of) {
    assertTrue(of != null);
    return of;
  }

  private void prepare(TransactionId id, int row) throws Exception {
    Branch branch = RealNode.take(told.lead().link(), loops.next());
    String name = XaName.name(id, DN).text();
    RealNode.run(branch, "XA START " + name + ";INSERT INTO d.t VALUES (" + row + ")");
    CommitParticipant participant = told.lead().link().participant();
    RealNode.get(RealNode.onLoop(branch, () -> participant.prepare(branch, id)));
  }

  @Test
  void withoutItsMarkItHasOneReplicaStill() throws Exception {
    DnAgent agent = startAlone();
    createTable();
    AlraiException refused =
        assertThrows(
            AlraiException.class,
            () ->
                agent.found(
                    config(),
                    Optional::empty,
                    told,
                    () -> {
                      throw new IOException("no room");
                    }));
    assertTrue(refused.sentence().contains("cannot be written down"), refused::sentence);
    assertTrue(refused.sentence().contains("no room"), refused::sentence);
    assertFalse(GroupLog.isThere(config()));
    assertEquals(0, told.term);
    run("INSERT INTO d.t VALUES (2)");
    assertEquals("[[1], [2]]", run(ROWS).toString());
    found(agent); // another time
    told.awaitTerm(1);
    run("INSERT INTO d.t VALUES (3)");
    assertEquals("[[1], [2], [3]]", run(ROWS).toString());
  }

  /** Who leads. */
  private static final class Listening implements MemberListener {
    private volatile @Nullable Lead lead;
    private volatile long term;

    Lead lead() {
      Lead now = lead;
      if (now == null) {
        throw new AssertionError("nobody leads");
      }
      return now;
    }

    void awaitTerm(long wanted) throws Exception {
      Eventually.await("term " + wanted, () -> lead != null && term == wanted);
    }

    @Override
    public void leads(long inTerm, Lead now, Reservation reservation) {
      term = inTerm;
      lead = now;
    }

    @Override
    public void leaves(Duration bound) {}

    @Override
    public CompletableFuture<Boolean> left() {
      return CompletableFuture.completedFuture(true);
    }

    @Override
    public void follows() {
      lead = null;
    }

    @Override
    public void failed(Throwable reason) {
      throw new AssertionError(reason);
    }
  }
}
