package io.alrai.dn.rpc;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.alrai.common.error.AlraiException;
import io.alrai.common.error.ErrorCode;
import io.alrai.common.id.DnId;
import io.alrai.common.id.NodeId;
import io.alrai.common.id.TransactionId;
import io.alrai.common.secret.ClusterSecret;
import io.alrai.common.sql.Sql;
import io.alrai.common.time.HlcTimestamp;
import io.alrai.common.time.HybridLogicalClock;
import io.alrai.common.wire.Command;
import io.alrai.common.wire.PacketKind;
import io.alrai.common.wire.Packets;
import io.alrai.common.wire.ReplyKind;
import io.alrai.dn.backend.Answer;
import io.alrai.dn.backend.Eventually;
import io.alrai.dn.backend.PoolLimits;
import io.alrai.dn.clock.NodeClock;
import io.alrai.dn.clock.WallTime;
import io.alrai.dn.link.Branch;
import io.alrai.dn.link.CommitParticipant;
import io.alrai.dn.link.ReplySink;
import io.alrai.dn.link.ViewOpener.Opening;
import io.alrai.dn.link.XaName;
import io.alrai.dn.xa.RealNode;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufAllocator;
import io.netty.channel.EventLoop;
import io.netty.channel.MultiThreadIoEventLoopGroup;
import io.netty.channel.epoll.EpollIoHandler;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A CN's side and two agents' sides, joined by the envelope over TCP, with real mysqlds. */
final class AgentServerIT {
  private static final ClusterSecret SECRET = new ClusterSecret("open sesame, but at more length");
  private static final MultiThreadIoEventLoopGroup LOOPS =
      new MultiThreadIoEventLoopGroup(3, EpollIoHandler.newFactory());
  private static final Map<DnId, CommitParticipant> BETWEEN_AGENTS = new ConcurrentHashMap<>();

  @TempDir static Path directory;

  private static Side first;
  private static Side second;
  private static EventLoop loop;
  private static int lastNumber;

  /** One DN, its agent's server, and the links of a CN and of the other agent to it. */
  private static final class Side implements AutoCloseable {
    final RealNode node;
    final FakeViews views = new FakeViews();
    final RemoteDnLink cn;
    final RemoteDnLink fromAgent;
    AgentServer server;
    InetSocketAddress address = new InetSocketAddress(InetAddress.getLoopbackAddress(), 0);

    Side(String name, int serverId) throws Exception {
      node = new RealNode(name, serverId, directory, LOOPS, BETWEEN_AGENTS::get);
      server = newServer();
      address = server.start(address);
      cn = link("cn-1", cnClock());
      fromAgent = link("agent", node.clock());
      BETWEEN_AGENTS.put(node.dn(), fromAgent.participant());
      node.query("CREATE SCHEMA t;CREATE TABLE t.r (id INT PRIMARY KEY, v INT)");
    }

    AgentServer newServer() {
      return LeadingServer.of(
          node.dn(),
          SECRET,
          node.connector(),
          node.participant(),
          views,
          new FakeLog(node.dn()),
          node.clock(),
          LOOPS);
    }

    RemoteDnLink link(String from, NodeClock clock) {
      return new RemoteDnLink(
          node.dn(),
          () -> KnownMembers.alone(address),
          SECRET,
          new NodeId(from),
          clock,
          LOOPS,
          new PoolLimits(10, 4, Duration.ofSeconds(3).toNanos()),
          () -> {});
    }

    Branch take() throws Exception {
      return RealNode.take(cn, loop);
    }

    boolean there(int number) throws Exception {
      return !node.query("SELECT id FROM t.r WHERE id=" + number + " FOR UPDATE").isEmpty();
    }

    @Override
    public void close() throws IOException {
      cn.close();
      fromAgent.close();
      server.close();
      node.close();
    }
  }

  private static NodeClock cnClock() {
    return NodeClock.inMemory(new HybridLogicalClock(WallTime.system(), 500));
  }

  @BeforeAll
  static void start() throws Exception {
    loop = LOOPS.next();
    first = new Side("dn-1", 1);
    second = new Side("dn-2", 2);
  }

  @AfterAll
  static void stop() throws Exception {
    second.close();
    first.close();
    LOOPS.shutdownGracefully(0, 1, TimeUnit.SECONDS).awaitUninterruptibly();
  }

  private static void giveBack(Branch branch) {
    branch.eventLoop().execute(branch::release);
  }

  @Test
  void statementsPassInBothDirections() throws Exception {
    Branch branch = first.take();
    assertTrue(branch.serverConnectionId() > 0);
    assertEquals(
        List.of(List.of(Long.toString(branch.serverConnectionId()), "ö")),
        RealNode.run(branch, "SELECT CONNECTION_ID(), 'ö'"));
    AlraiException error =
        assertThrows(AlraiException.class, () -> RealNode.run(branch, "SELECT nothing"));
    assertEquals(ErrorCode.ER_BAD_FIELD_ERROR.errno(), error.errno());
    giveBack(branch);
  }

  @Test
  void aBranchThatWasGivenBackServesAgain() throws Exception {
    Branch branch = first.take();
    RealNode.run(branch, "SET @x=5");
    giveBack(branch);
    Branch again = first.take();
    assertEquals(List.of(List.of("5")), RealNode.run(again, "SELECT @x"));
    giveBack(again);
  }

  @Test
  void requestsAreAnsweredInOrder() throws Exception {
    Branch branch = first.take();
    List<CompletableFuture<List<List<String>>>> answers = new ArrayList<>();
    for (int i = 0; i < 200; i++) {
      int number = i;
      answers.add(
          CompletableFuture.supplyAsync(
              () -> {
                try {
                  return RealNode.run(branch, "SELECT " + number);
                } catch (Exception e) {
                  throw new AssertionError(e);
                }
              },
              Thread::startVirtualThread));
    }
    for (int i = 0; i < answers.size(); i++) {
      assertEquals(List.of(List.of(Integer.toString(i))), answers.get(i).get(30, TimeUnit.SECONDS));
    }
    giveBack(branch);
  }

  @Test
  void aStatementOfSeveralPackets() throws Exception {
    Branch branch = first.take();
    String large = "x".repeat(20_000_000);
    assertEquals(
        List.of(List.of("20000000")), RealNode.run(branch, "SELECT LENGTH('" + large + "')"));
    assertEquals(
        20_000_000,
        RealNode.run(branch, "SELECT REPEAT('y', 20000000)").getFirst().getFirst().length());
    giveBack(branch);
  }

  /** Counts bytes, and stops reading for a while at every fourth MB. */
  private static final class SlowReader implements ReplySink {
    final CompletableFuture<Long> done = new CompletableFuture<>();
    static final long PAUSE_AT = 4_000_000;
    final AtomicLong bytes = new AtomicLong();
    private final Branch branch;
    private boolean paused;

    SlowReader(Branch branch) {
      this.branch = branch;
    }

    @Override
    public void packet(PacketKind kind, ByteBuf buf, int header, int length) {
      if (kind == PacketKind.ROW) {
        bytes.addAndGet(length - Packets.HEADER);
      }
    }

    @Override
    public void chunkEnd() {
      if (!paused && bytes.get() > PAUSE_AT) {
        paused = true;
        branch.reading(false);
      }
    }

    @Override
    public void end(int status) {
      done.complete(bytes.get());
    }

    @Override
    public void failed(AlraiException reason) {
      done.completeExceptionally(reason);
    }
  }

  @Test
  void aSlowReaderHoldsTheMysqldBack() throws Exception {
    Branch branch = first.take();
    RealNode.run(branch, "SET cte_max_recursion_depth=1000000");
    String sql =
        "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i+1 FROM n WHERE i<60000)"
            + " SELECT i, REPEAT('z',1000) FROM n";
    SlowReader reader = new SlowReader(branch);
    loop.execute(() -> {
      ByteBuf command = ByteBufAllocator.DEFAULT.buffer();
      Packets.writeCommand(command, Command.QUERY, sql.getBytes(StandardCharsets.UTF_8));
      branch.send(command, ReplyKind.RESULTS, reader);
      branch.flush();
    });
    while (reader.bytes.get() <= SlowReader.PAUSE_AT) {
      Thread.onSpinWait();
    }
    TimeUnit.MILLISECONDS.sleep(300);
    assertTrue(
        reader.bytes.get() < SlowReader.PAUSE_AT + 1_000_000, "read on: " + reader.bytes.get());
    branch.eventLoop().execute(() -> branch.reading(true));
    assertTrue(reader.done.get(60, TimeUnit.SECONDS) > 60_000_000L);
    assertEquals(List.of(List.of("1")), RealNode.run(branch, "SELECT 1"));
    giveBack(branch);
  }

  /** A transaction of a CN that inserts its number on both DNs. */
  private static final class Transaction {
    final int number = ++lastNumber;
    final TransactionId id = new TransactionId(new NodeId("cn-1"), 2, number, new DnId("dn-1"));
    final Branch primary = first.take();
    final Branch other = second.take();
    HlcTimestamp proposed = HlcTimestamp.ZERO;
    HlcTimestamp commitTs = HlcTimestamp.ZERO;

    Transaction() throws Exception {
      String insert = "INSERT INTO t.r VALUES (" + number + ",1)";
      RealNode.run(primary, "START TRANSACTION;" + insert);
      RealNode.run(other, "XA START " + XaName.name(id, new DnId("dn-2")).text() + ";" + insert);
    }

    void step(int step) throws Exception {
      switch (step) {
        case 0 -> note(RealNode.onLoop(other, () -> second.cn.participant().prepare(other, id)));
        case 1 ->
            note(RealNode.onLoop(primary, () -> first.cn.participant().preCommit(primary, id)));
        case 2 -> commitTs = RealNode.get(sendDecide());
        case 3 -> RealNode.get(second.cn.participant().commitPrepared(id, commitTs).done());
        case 4 -> first.cn.participant().forget(id);
        default -> throw new IllegalArgumentException("step " + step);
      }
    }

    private void note(CompletableFuture<HlcTimestamp> stamp) throws Exception {
      HlcTimestamp ts = RealNode.get(stamp);
      proposed = ts.compareTo(proposed) > 0 ? ts : proposed;
    }

    CompletableFuture<HlcTimestamp> sendDecide() {
      return RealNode.onLoop(
          primary,
          () -> first.cn.participant().decide(primary, id, proposed, List.of(new DnId("dn-2"))));
    }

    void die() {
      loop.execute(primary::close);
      loop.execute(other::close);
    }

    void checkAfterRecovery(boolean acknowledged) throws Exception {
      Eventually.await("end of prepared branches", () -> !holds());
      boolean there = first.there(number);
      assertEquals(there, second.there(number), "half a transaction");
      assertEquals(acknowledged, there);
    }

    private boolean holds() {
      try {
        return RealNode.get(second.node.participant().holdsPrepared(id));
      } catch (Exception e) {
        throw new AssertionError(e);
      }
    }
  }

  @Test
  void aCommitOverTwoAgents() throws Exception {
    Transaction tx = new Transaction();
    for (Branch branch : List.of(tx.other, tx.primary)) {
      // second statements are refused now, until the agent speaks
      RealNode.get(RealNode.onLoop(branch, () -> Answer.of(branch, Sql.of("SELECT ';'"))));
    }
    for (int step = 0; step <= 4; step++) {
      tx.step(step);
    }
    assertTrue(tx.commitTs.compareTo(tx.proposed) >= 0);
    assertEquals(List.of(), RealNode.run(tx.primary, "XA RECOVER"));
    giveBack(tx.primary);
    giveBack(tx.other);
    tx.checkAfterRecovery(true);
  }

  @ParameterizedTest
  @ValueSource(ints = {0, 1, 2, 3})
  void aCnThatDiesAfterSomeSteps(int steps) throws Exception {
    Transaction tx = new Transaction();
    for (int step = 0; step < steps; step++) {
      tx.step(step);
    }
    tx.die();
    tx.checkAfterRecovery(steps > 2);
  }

  @Test
  void aConnectionThatBreaksRollsBack() throws Exception {
    Branch branch = first.take();
    long connection = branch.serverConnectionId();
    RealNode.run(branch, "START TRANSACTION;INSERT INTO t.r VALUES (1000000,1)");
    loop.execute(branch::close);
    Eventually.await("end of the mysqld's session", () -> !connected(connection));
    assertFalse(first.there(1_000_000));
  }

  @Test
  void aViewShowsWhatWasThereWhenTheAgentOpenedIt() throws Exception {
    Branch branch = first.take();
    HlcTimestamp at = HlcTimestamp.ofMillis(1_700_000_000_000L);
    CompletableFuture<Opening> opened =
        RealNode.onLoop(
            branch,
            () ->
                first
                    .cn
                    .views()
                    .open(
                        branch,
                        at,
                        "START TRANSACTION WITH CONSISTENT SNAPSHOT",
                        "ROLLBACK",
                        false));
    FakeViews.Asked asked = first.views.next();
    assertEquals(at, asked.at());
    assertEquals(branch.serverConnectionId(), asked.branch().serverConnectionId());
    RealNode.run(asked.branch(), asked.opening());
    first.node.query("INSERT INTO t.r VALUES (2000000,1)");
    RealNode.run(asked.branch(), asked.undo());
    RealNode.run(asked.branch(), asked.opening());
    first.node.query("INSERT INTO t.r VALUES (2000001,1)");
    asked.answer().complete(new Opening.Open());
    assertEquals(new Opening.Open(), RealNode.get(opened));
    assertEquals(
        List.of(List.of("2000000")),
        RealNode.run(branch, "SELECT id FROM t.r WHERE id IN (2000000,2000001)"));
    RealNode.run(branch, "COMMIT");
    giveBack(branch);
  }

  private static boolean connected(long connection) {
    try {
      return !first
          .node
          .query("SELECT 1 FROM information_schema.processlist WHERE id=" + connection)
          .isEmpty();
    } catch (Exception e) {
      throw new AssertionError(e);
    }
  }

  @Test
  void aKilledSessionIsALostBranch() throws Exception {
    Branch branch = first.take();
    first.node.query("KILL " + branch.serverConnectionId());
    Eventually.await("loss of the branch", () -> !branch.alive());
    AlraiException lost =
        assertThrows(AlraiException.class, () -> RealNode.run(branch, "SELECT 1"));
    assertEquals(ErrorCode.CR_SERVER_GONE_ERROR.errno(), lost.errno());
  }

  @Test
  void aDecisionWhoseConnectionBreaksIsFoundOut() throws Exception {
    for (int round = 0; round < 8; round++) {
      Transaction tx = new Transaction();
      tx.step(0);
      tx.step(1);
      CompletableFuture<HlcTimestamp> decision = tx.sendDecide();
      TimeUnit.MICROSECONDS.sleep(300L * round);
      loop.execute(tx.primary::close);
      boolean committed = false;
      try {
        RealNode.get(decision);
        committed = true;
      } catch (AlraiException failed) {
        assertEquals(ErrorCode.ER_LOCK_DEADLOCK.errno(), failed.errno());
      }
      tx.die();
      tx.checkAfterRecovery(committed);
    }
  }

  @Test
  void anAgentThatComesBackIsUsedAgain() throws Exception {
    Transaction tx = new Transaction();
    for (int step = 0; step <= 2; step++) {
      tx.step(step);
    }
    second.server.close();
    Eventually.await("loss of the branch", () -> !tx.other.alive());
    CompletableFuture<Void> commit =
        second.cn.participant().commitPrepared(tx.id, tx.commitTs).done();
    second.server = second.newServer();
    second.server.start(second.address);
    RealNode.get(commit);
    tx.die();
    tx.checkAfterRecovery(true);
    Branch branch = second.take();
    assertEquals(List.of(List.of("1")), RealNode.run(branch, "SELECT 1"));
    giveBack(branch);
  }
}
