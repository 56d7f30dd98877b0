package io.alrai.dn.rpc;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
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
import io.alrai.dn.backend.Answer;
import io.alrai.dn.backend.PipelinedBranch;
import io.alrai.dn.backend.PoolLimits;
import io.alrai.dn.clock.NodeClock;
import io.alrai.dn.clock.WallTime;
import io.alrai.dn.link.Branch;
import io.alrai.dn.link.ReadWatch;
import io.alrai.dn.link.ViewOpener.Opening;
import io.alrai.dn.rpc.wire.Envelope;
import io.alrai.dn.xa.RealNode;
import io.netty.channel.EventLoop;
import io.netty.channel.MultiThreadIoEventLoopGroup;
import io.netty.channel.epoll.EpollIoHandler;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Views through the envelope: two sides over TCP, without a mysqld. */
final class RemoteViewsTest {
  private static final DnId DN = new DnId("dn-1");
  private static final HlcTimestamp AT = HlcTimestamp.ofMillis(1_700_000_000_123L);
  private static final ClusterSecret SECRET = new ClusterSecret("open sesame, but at more length");

  private final MultiThreadIoEventLoopGroup loops =
      new MultiThreadIoEventLoopGroup(2, EpollIoHandler.newFactory());
  private final EventLoop loop = (EventLoop) loops.iterator().next();
  private volatile Consumer<String> onCommand = command -> {};
  private final List<String> commands = new CopyOnWriteArrayList<>();
  private final OkServer mysqld =
      new OkServer(
          DN,
          loops,
          command -> {
            commands.add(command);
            onCommand.accept(command);
          });
  private final FakeParticipant participant = new FakeParticipant();
  private final FakeViews views = new FakeViews();
  private final AgentServer server =
      LeadingServer.of(DN, SECRET, mysqld, participant, views, new FakeLog(DN), clock(), loops);
  private InetSocketAddress address = InetSocketAddress.createUnresolved("nowhere", 0);
  private final RemoteDnLink link = link(10_000);

  private static NodeClock clock() {
    return NodeClock.inMemory(new HybridLogicalClock(WallTime.system(), 500));
  }

  private RemoteDnLink link(long boundMillis) {
    return new RemoteDnLink(
        DN,
        () -> KnownMembers.alone(address),
        SECRET,
        new NodeId("cn-1"),
        clock(),
        loops,
        new PoolLimits(2, 4, Duration.ofSeconds(5).toNanos()),
        boundMillis);
  }

  @BeforeEach
  void start() {
    address = server.start(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));
  }

  @AfterEach
  void stop() {
    link.close();
    server.close();
    mysqld.close();
    loops.shutdownGracefully(0, 1, TimeUnit.SECONDS).awaitUninterruptibly();
  }

  private Branch take(RemoteDnLink from) throws Exception {
    return RealNode.take(from, loop);
  }

  private static <T> T get(CompletableFuture<T> future) throws Exception {
    return future.get(20, TimeUnit.SECONDS);
  }

  private <T> CompletableFuture<T> onLoop(Supplier<CompletableFuture<T>> call) {
    return CompletableFuture.supplyAsync(call, loop).thenCompose(future -> future);
  }

  private CompletableFuture<Opening> open(RemoteDnLink from, Branch branch) {
    return onLoop(() -> from.views().open(branch, AT, "BEGIN; SELECT 'ö'", "ROLLBACK", false));
  }

  private void query(Branch branch, String sql) throws Exception {
    assertEquals(1, get(onLoop(() -> Answer.of(branch, Sql.client(sql)))).succeeded());
  }

  private PipelinedBranch agentsBranch() throws InterruptedException {
    return Objects.requireNonNull(mysqld.branches.poll(20, TimeUnit.SECONDS));
  }

  private static AlraiException failure(CompletableFuture<?> call) {
    ExecutionException failed = assertThrows(ExecutionException.class, () -> get(call));
    return assertInstanceOf(AlraiException.class, failed.getCause());
  }

  @Test
  void aViewIsOpenedByTheAgentOnTheBranchOfTheCall() throws Exception {
    Branch branch = take(link);
    query(branch, "SELECT 1");
    CompletableFuture<Thread> completedOn = new CompletableFuture<>();
    CompletableFuture<Opening> opened =
        onLoop(() ->
            link.views()
                .open(branch, AT, "BEGIN; SELECT 'ö'", "ROLLBACK", true)
                .whenComplete((opening, error) -> completedOn.complete(Thread.currentThread())));
    FakeViews.Asked asked = views.next();
    PipelinedBranch agents = agentsBranch();
    assertEquals(
        new FakeViews.Asked(agents, AT, "BEGIN; SELECT 'ö'", "ROLLBACK", true, asked.answer()),
        asked);
    get(
        CompletableFuture.supplyAsync(
                () -> Answer.ofText(agents, Sql.client(asked.opening())), agents.eventLoop())
            .thenCompose(answer -> answer));
    assertFalse(opened.isDone());
    asked.answer().complete(new Opening.Open());
    assertEquals(new Opening.Open(), get(opened));
    assertTrue(loop.inEventLoop(get(completedOn)));
    query(branch, "SELECT 2");
    assertEquals(List.of("SELECT 1", "BEGIN; SELECT 'ö'", "SELECT 2"), commands);
  }

  @Test
  void aRefusedSnapshotLeavesTheBranchAsItWas() throws Exception {
    Branch branch = take(link);
    CompletableFuture<Opening> opened = open(link, branch);
    views.next().answer().complete(new Opening.Refused(HlcTimestamp.ofMillis(9)));
    assertEquals(new Opening.Refused(HlcTimestamp.ofMillis(9)), get(opened));
    query(branch, "SELECT 1");
  }

  @Test
  void whatTheMysqldSaysOfTheOpeningKeepsItsNumber() throws Exception {
    Branch branch = take(link);
    CompletableFuture<Opening> opened = open(link, branch);
    views
        .next()
        .answer()
        .completeExceptionally(
            new Answer.Failed(AlraiException.fromServer(1399, "XAE07", "no such state"), 0, true));
    AlraiException reason = failure(opened);
    assertEquals(1399, reason.errno());
    assertEquals("XAE07", reason.sqlState());
    CompletableFuture<Opening> again = open(link, branch);
    views
        .next()
        .answer()
        .completeExceptionally(new AlraiException(ErrorCode.ALRAI_NODE_UNAVAILABLE, "no gate"));
    assertEquals(ErrorCode.ALRAI_NODE_UNAVAILABLE.errno(), failure(again).errno());
  }

  @Test
  void anAgentThatDoesNotAnswerCostsTheBranch() throws Exception {
    try (RemoteDnLink impatient = link(50)) {
      Branch branch = take(impatient);
      CompletableFuture<Opening> opened = open(impatient, branch);
      PipelinedBranch agents = agentsBranch();
      assertEquals(ErrorCode.CR_SERVER_LOST.errno(), failure(opened).errno());
      assertFalse(branch.alive());
      // the view is dropped before the opener has an answer
      assertTrue(agents.channel().closeFuture().await(20, TimeUnit.SECONDS));
      views.next().answer().complete(new Opening.Open());
    }
  }

  @Test
  void aMysqldThatGoesAwayEndsTheOpening() throws Exception {
    Branch branch = take(link);
    CompletableFuture<Opening> opened = open(link, branch);
    views.next();
    mysqld.disconnect();
    assertEquals(ErrorCode.CR_SERVER_LOST.errno(), failure(opened).errno());
    assertFalse(branch.alive());
  }

  @Test
  void aBranchThatBrokeBeforeHasNoView() throws Exception {
    Branch branch = take(link);
    query(branch, "SELECT 0"); // by now the mysqld has accepted the connection
    mysqld.disconnect();
    assertTrue(((PipelinedBranch) branch).channel().closeFuture().await(20, TimeUnit.SECONDS));
    assertEquals(ErrorCode.CR_SERVER_LOST.errno(), failure(open(link, branch)).errno());
  }

  private void dependency(Branch branch, long stamp) throws Exception {
    get(CompletableFuture.runAsync(() -> branch.state().dependency(stamp), loop));
  }

  @Test
  void aSessionsDependencyIsThereBeforeItsStatement() throws Exception {
    Branch branch = take(link);
    PipelinedBranch agents = agentsBranch();
    List<Long> known = new CopyOnWriteArrayList<>();
    onCommand = command -> known.add(agents.state().dependency());
    query(branch, "SELECT 0");
    for (long stamp : new long[] {5, 17, 11, 0, 12}) {
      dependency(branch, stamp);
      query(branch, "SELECT " + stamp);
    }
    assertEquals(List.of(0L, 5L, 17L, 11L, 0L, 12L), known);
  }

  @Test
  void callsOnABranchHaveItsDependency() throws Exception {
    Branch branch = take(link);
    PipelinedBranch agents = agentsBranch();
    dependency(branch, 21);
    TransactionId id = new TransactionId(new NodeId("cn-1"), 1, 1, DN);
    get(onLoop(() -> link.participant().prepare(branch, id)));
    assertEquals(List.of("prepare after 21"), participant.calls);
    dependency(branch, 22);
    CompletableFuture<Opening> opened = open(link, branch);
    FakeViews.Asked asked = views.next();
    assertEquals(22, asked.branch().state().dependency());
    asked.answer().complete(new Opening.Open());
    get(opened);
    // calls of a control connection are about no branch
    get(link.participant().holdsPrepared(id));
    assertEquals(22, agents.state().dependency());
  }

  @Test
  void noReplyOvertakesItsStamp() throws Exception {
    onCommand = command -> views.visible(Long.parseLong(command));
    Branch branch = take(link);
    assertEquals(0, link.views().visibleStamp());
    List<CompletableFuture<Long>> seen = new ArrayList<>();
    for (int i = 1; i <= 200; i++) {
      String stamp = Integer.toString(i);
      seen.add(
          onLoop(() ->
              Answer.of(branch, Sql.client(stamp))
                  .thenApply(answer -> link.views().visibleStamp())));
    }
    for (int i = 1; i <= 200; i++) {
      long at = get(seen.get(i - 1));
      assertTrue(at >= i && at <= 200, "reply " + i + " came with " + at);
    }
    CompletableFuture<Opening> opened = open(link, branch);
    FakeViews.Asked asked = views.next();
    views.visible(300);
    asked.answer().complete(new Opening.Open());
    get(opened);
    assertEquals(300, link.views().visibleStamp());
  }

  @Test
  void theVisibleStampIsTheLargestOfAllConnections() throws Exception {
    Branch one = take(link);
    Branch other = take(link);
    views.visible(7);
    query(one, "SELECT 1");
    views.visible(6);
    query(other, "SELECT 1");
    assertEquals(7, link.views().visibleStamp());
    views.visible(8);
    get(link.participant().holdsPrepared(new TransactionId(new NodeId("cn-1"), 1, 1, DN)));
    assertEquals(8, link.views().visibleStamp());
  }

  @Test
  void anOpeningBeyondTheBoundOfAFrameIsRefused() throws Exception {
    Branch branch = take(link);
    String large = "x".repeat(Envelope.MAX_MESSAGE);
    AlraiException reason = failure(onLoop(() -> link.views().open(branch, AT, large, "", false)));
    assertTrue(reason.sentence().contains("OPEN_VIEW"), reason.sentence());
  }

  @Test
  void theCallerLearnsWhichReadWasDisturbed() throws Exception {
    AtomicLong comings = new AtomicLong();
    mysqld.watchedBy(
        new ReadWatch() {
          @Override
          public long quiet() {
            return comings.get();
          }

          @Override
          public boolean undisturbed(long mark) {
            return comings.get() == mark;
          }
        });
    onCommand =
        command -> {
          if (command.contains("disturbed")) {
            comings.incrementAndGet();
          }
        };
    Branch branch = take(link);
    for (String sql : List.of("SELECT 1", "SELECT 'disturbed'", "SELECT 2")) {
      onLoop(() -> {
        branch.watch();
        return CompletableFuture.completedFuture(null);
      });
      query(branch, sql);
      boolean disturbed = get(onLoop(() -> CompletableFuture.completedFuture(branch.disturbed())));
      assertEquals(sql.contains("disturbed"), disturbed, sql);
    }
  }
}
