package io.alrai.cn.process;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;

import io.alrai.cn.admin.CnAdmin;
import io.alrai.cn.admin.ForeignStatements;
import io.alrai.cn.analytic.AnalyticCounts;
import io.alrai.cn.analytic.AnalyticResources;
import io.alrai.cn.analytic.AnalyticSelects;
import io.alrai.cn.analytic.IndexedTables;
import io.alrai.cn.analytic.SelectExamination;
import io.alrai.cn.ask.ClusterAsk;
import io.alrai.cn.branch.DnLinks;
import io.alrai.cn.ccl.RuleBook;
import io.alrai.cn.ccl.RuleTotals;
import io.alrai.cn.columnar.RowTables;
import io.alrai.cn.commit.SpanningTransactions;
import io.alrai.cn.cursor.CursorRoom;
import io.alrai.cn.ddl.DdlCluster;
import io.alrai.cn.ddl.job.JobsAtWork;
import io.alrai.cn.ddl.rule.CheckViewKeeper;
import io.alrai.cn.digest.DigestNames;
import io.alrai.cn.digest.StatementDigests;
import io.alrai.cn.digest.StatementTimes;
import io.alrai.cn.execute.PlanExecutor;
import io.alrai.cn.plan.StatementPlanner;
import io.alrai.cn.pressure.Pressure;
import io.alrai.cn.protocol.Authentication;
import io.alrai.cn.protocol.LoginCounts;
import io.alrai.cn.route.LearnedWeights;
import io.alrai.cn.route.Router;
import io.alrai.cn.service.ClientServices;
import io.alrai.cn.service.CnServices;
import io.alrai.cn.service.StatementCounts;
import io.alrai.cn.service.StatementServices;
import io.alrai.cn.service.TransactionServices;
import io.alrai.cn.session.SessionRegistry;
import io.alrai.cn.settings.SettingsRegistry;
import io.alrai.cn.settings.UseCounts;
import io.alrai.cn.shard.ServerFacts;
import io.alrai.cn.shard.ShardQueries;
import io.alrai.cn.slowlog.SlowLog;
import io.alrai.cn.statement.Sequences;
import io.alrai.cn.system.CnParts;
import io.alrai.cn.text.ExecutorParts;
import io.alrai.cn.tx.FakeDns;
import io.alrai.cn.tx.branch.TransactionNumbers;
import io.alrai.columnar.segment.MemoryBudget;
import io.alrai.columnar.serve.ColumnIndexes;
import io.alrai.common.id.DnId;
import io.alrai.common.id.NodeId;
import io.alrai.common.metrics.Latency;
import io.alrai.common.metrics.Metrics;
import io.alrai.common.time.HlcTimestamp;
import io.alrai.common.type.Collations;
import io.alrai.common.type.Collations.Collation;
import io.alrai.common.wire.Capability;
import io.alrai.dn.backend.FakeBranch;
import io.alrai.dn.link.BackendAccount;
import io.alrai.dn.link.BranchTaker;
import io.alrai.dn.link.CommitFate;
import io.alrai.dn.link.CommitParticipant;
import io.alrai.dn.link.DnLink;
import io.alrai.dn.link.KeptReplies;
import io.alrai.dn.link.Unfit;
import io.alrai.dn.link.ViewOpener;
import io.alrai.executor.operator.OperatorBudget;
import io.alrai.optimizer.api.planner.AlraiPlanner;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.UnpooledByteBufAllocator;
import io.netty.channel.EventLoop;
import java.lang.reflect.InvocationHandler;
import java.lang.reflect.Proxy;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.LongAdder;
import org.jspecify.annotations.Nullable;

/**
 * A CN whose parts are those of a real one, over fake DNs: each statement that reaches one is
 * answered as the test says. Its event loop is the test's thread. Schema {@code shop} has the
 * tables that the test creates.
 */
public final class FakeCn implements AutoCloseable {
  private static final NodeId SELF = new NodeId("cn-1");
  private static final int MAX_ALLOWED_PACKET = 1 << 20;

  public final StepLoop loop = new StepLoop();
  public final DdlCluster cluster = new DdlCluster(2);
  public final FakeDns dns = new FakeDns(loop);

  /** The members that follow, of DNs that have some. */
  public final FakeDns followers = new FakeDns(loop);

  /** How much these lag, in milliseconds. */
  public OptionalLong delay = OptionalLong.empty();

  /** What becomes of statements whose connections are lost. */
  public CommitFate fate = CommitFate.UNKNOWN;

  /** What the agents of all DNs keep. */
  public KeptReplies kept = KeptReplies.NONE;

  public final CnServices services;
  private final UnpooledByteBufAllocator buffers = new UnpooledByteBufAllocator(false);
  private final List<FakeClient> clients = new ArrayList<>();
  private final DnLinks links = new DnLinks();
  private final Metrics metrics = new Metrics();
  private final SettingsRegistry settings = new SettingsRegistry();
  private final ShardQueries queries = new ShardQueries(links, loop, settings.defaults());
  private final Collations collations =
      new Collations(
          List.of(
              new Collation(255, "utf8mb4_0900_ai_ci", "utf8mb4", true, false),
              new Collation(63, "binary", "binary", true, false)));
  private final SessionRegistry sessions =
      new SessionRegistry(
          1,
          new UseCounts(() -> 0),
          new ClusterAsk(SELF, cluster.gms::catalog, () -> 0, () -> 0, new LongAdder()),
          new Pressure(new LongAdder(), () -> 0));
  private final StatementDigests digests =
      new StatementDigests(
          new DigestNames(queries, settings),
          new StatementTimes(metrics),
          SlowLog.of(SELF, Path.of("target"), "9.7.4", Runnable::run, metrics),
          naming -> {},
          () -> 0,
          null);
  private final AlraiPlanner planner = new AlraiPlanner(collation -> Optional.empty());
  private final RuleBook rules = new RuleBook(RuleTotals.of(metrics));
  private final Sequences sequences = new Sequences(cluster.gms, () -> 0);
  private final CheckViewKeeper checks = new CheckViewKeeper(cluster.shards, cluster.gms::catalog);

  /** One with these tables. */
  public FakeCn(String... tables) {
    cluster.run("CREATE DATABASE shop");
    for (String table : tables) {
      cluster.run(table);
    }
    cluster.gms.onChange(rules::follow);
    dns.losesLater = true;
    followers.losesLater = true;
    for (DnId dn : cluster.shards.dns()) {
      dns.dataNodes.add(dn);
      links.put(new Link(dn, dns));
    }
    services = services();
  }

  private CnServices services() {
    Router router = new Router(new LearnedWeights(sql -> List.of()), collations, sequences);
    AnalyticSelects analytic = withoutIndexes();
    PlanExecutor plans =
        new PlanExecutor(
            new ExecutorParts(
                SELF,
                router,
                cluster.gms,
                planner,
                sequences,
                queries,
                OperatorBudget.standard(),
                analytic,
                checks));
    StatementPlanner statements = new StatementPlanner(planner, cluster.gms::catalog, rules);
    return new CnServices(
        cluster.gms,
        new StatementServices(
            on -> statements,
            router,
            plans,
            analytic,
            new CnAdmin(parts(), plans, none(ForeignStatements.class), null),
            CursorRoom.of(metrics),
            MAX_ALLOWED_PACKET),
        new TransactionServices(
            links,
            new TransactionNumbers(SELF, 1),
            dns.snapshots(),
            new SpanningTransactions(),
            dns.admission(),
            dns.predictor(),
            dns.counts()),
        clientServices());
  }

  private CnParts parts() {
    return new CnParts(
        SELF,
        cluster.gms,
        queries,
        new ServerFacts("9.7.4", 10, collations),
        settings,
        sessions,
        planner,
        sequences,
        metrics,
        digests,
        checks,
        dns.admission(),
        rules,
        new JobsAtWork(() -> 0, () -> 0, () -> {}),
        () -> 0);
  }

  private ClientServices clientServices() {
    return new ClientServices(
        "9.7.4-alrai",
        new Authentication(
            cluster.gms::catalog,
            () -> 0,
            false,
            Runnable::run,
            command -> {},
            LoginCounts.of(metrics)),
        sessions,
        settings,
        collations,
        LoginCounts.of(metrics),
        StatementCounts.of(metrics),
        digests,
        () -> 0,
        0);
  }

  private AnalyticSelects withoutIndexes() {
    IndexedTables tables = new IndexedTables(cluster.gms::catalog, ColumnIndexes.NONE, () -> 0);
    RowTables rows = new RowTables(queries, new MemoryBudget(1));
    return new AnalyticSelects(
        tables,
        rows,
        new SelectExamination(tables, rows, Optional.empty(), () -> 0, () -> new HlcTimestamp(0)),
        Optional.empty(),
        new AnalyticResources(null, null, null, () -> 0, () -> false),
        collations,
        AnalyticCounts.of(metrics));
  }

  private static <T> T none(Class<T> type) {
    return type.cast(
        Proxy.newProxyInstance(
            type.getClassLoader(),
            new Class<?>[] {type},
            (proxy, method, arguments) -> {
              if (method.isDefault()) {
                return InvocationHandler.invokeDefault(proxy, method, arguments);
              }
              throw new UnsupportedOperationException(method.getName());
            }));
  }

  /** A client that has logged in. */
  public FakeClient client() {
    return client(Capability.DEPRECATE_EOF | Capability.PROTOCOL_41);
  }

  /** A client with these capabilities. */
  public FakeClient client(int flags) {
    loop.enter();
    FakeClient client = new FakeClient(services, loop, buffers, clients.size() + 1, flags);
    clients.add(client);
    return client;
  }

  /** Bytes that clients' channels, and what they have not read, hold. */
  public long heldBytes() {
    return buffers.metric().usedHeapMemory();
  }

  /** The branch that was lent last. */
  public FakeBranch branch() {
    return dns.branches.getLast();
  }

  /** All clients leave; then no buffer is left, no branch is lent, and nothing met a defect. */
  @Override
  public void close() {
    clients.forEach(FakeClient::vanish);
    loop.settle();
    for (FakeClient client : clients) {
      client.bytes();
      client.channel.checkException();
    }
    List<FakeBranch> branches = new ArrayList<>(dns.branches);
    branches.addAll(followers.branches);
    for (FakeBranch branch : branches) {
      assertNull(branch.defect);
      loop.await(() -> branch.released || branch.closed);
      assertFalse(branch.busy() && !branch.closed, "a reply is outstanding on a free branch");
      for (ByteBuf command : branch.buffers) {
        assertEquals(0, command.refCnt(), "a command is not released");
      }
    }
    loop.await(() -> heldBytes() == 0, () -> heldBytes() + " bytes that nobody has released");
  }

  /** The way to a fake DN. */
  private final class Link implements DnLink {
    private final DnId dn;
    private final FakeDns to;

    Link(DnId dn, FakeDns to) {
      this.dn = dn;
      this.to = to;
    }

    @Override
    public Optional<DnLink> replicas() {
      return followers.dataNodes.contains(dn)
          ? Optional.of(new Link(dn, followers))
          : Optional.empty();
    }

    @Override
    public OptionalLong delayMillis() {
      return delay;
    }

    @Override
    public DnId dn() {
      return dn;
    }

    @Override
    public void take(
        EventLoop on,
        BackendAccount account,
        String schema,
        @Nullable Object settings,
        BranchTaker taker) {
      to.take(dn, account, schema, taker);
    }

    @Override
    public ViewOpener views() {
      return to.views(dn);
    }

    @Override
    public KeptReplies rows() {
      return kept;
    }

    @Override
    public CommitParticipant participant() {
      return CommitParticipant.class.cast(
          Proxy.newProxyInstance(
              CommitParticipant.class.getClassLoader(),
              new Class<?>[] {CommitParticipant.class},
              (proxy, method, arguments) -> {
                if (method.getName().equals("fate")) {
                  return CompletableFuture.completedFuture(fate);
                }
                throw new UnsupportedOperationException(method.getName());
              }));
    }

    @Override
    public void forgetSchemas() {}

    @Override
    public int openBranches() {
      return 0;
    }

    @Override
    public LongAdder unfit(Unfit reason) {
      return new LongAdder();
    }

    @Override
    public LongAdder lostReplies() {
      return new LongAdder();
    }

    @Override
    public Latency waits() {
      return new Latency();
    }

    @Override
    public void close() {}
  }
}
