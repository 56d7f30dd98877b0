package io.alrai.cn.process;

import io.alrai.cn.admin.CnAdmin;
import io.alrai.cn.analytic.AnalyticSelects;
import io.alrai.cn.ask.ClusterAsk;
import io.alrai.cn.branch.DnLinks;
import io.alrai.cn.ccl.RuleBook;
import io.alrai.cn.ccl.RuleTotals;
import io.alrai.cn.commit.SpanningTransactions;
import io.alrai.cn.config.EndpointChoice;
import io.alrai.cn.cursor.CursorRoom;
import io.alrai.cn.ddl.DdlExecutor;
import io.alrai.cn.ddl.DdlRecovery;
import io.alrai.cn.ddl.job.JobsAtWork;
import io.alrai.cn.ddl.job.LinkedDdlShards;
import io.alrai.cn.ddl.job.ShadowGrants;
import io.alrai.cn.ddl.job.ShownSteps;
import io.alrai.cn.ddl.rule.CheckViewKeeper;
import io.alrai.cn.deadlock.DeadlockDetector;
import io.alrai.cn.digest.DigestNames;
import io.alrai.cn.digest.StatementDigests;
import io.alrai.cn.digest.StatementTimes;
import io.alrai.cn.leader.PrimaryZone;
import io.alrai.cn.limit.LimitedAccounts;
import io.alrai.cn.lock.Admission;
import io.alrai.cn.lock.LockKeeper;
import io.alrai.cn.plan.StatementPlanner;
import io.alrai.cn.pressure.Pressure;
import io.alrai.cn.protocol.Authentication;
import io.alrai.cn.protocol.LoginCounts;
import io.alrai.cn.protocol.SlowHashes;
import io.alrai.cn.route.LearnedWeights;
import io.alrai.cn.service.ClientServices;
import io.alrai.cn.service.CnServices;
import io.alrai.cn.service.StatementCounts;
import io.alrai.cn.service.StatementServices;
import io.alrai.cn.service.TransactionServices;
import io.alrai.cn.session.SessionRegistry;
import io.alrai.cn.settings.GlobalVariables;
import io.alrai.cn.settings.SecureTransport;
import io.alrai.cn.settings.SettingsRegistry;
import io.alrai.cn.settings.UseCounts;
import io.alrai.cn.shard.ServerFacts;
import io.alrai.cn.shard.ShardQueries;
import io.alrai.cn.shard.ShardQuestions;
import io.alrai.cn.slowlog.SlowLog;
import io.alrai.cn.snapshot.HybridTimestamps;
import io.alrai.cn.snapshot.OracleTimestamps;
import io.alrai.cn.snapshot.SnapshotClock;
import io.alrai.cn.snapshot.SpreadPredictor;
import io.alrai.cn.snapshot.TimestampMode;
import io.alrai.cn.snapshot.TransactionCounts;
import io.alrai.cn.span.StatementSpans;
import io.alrai.cn.statement.Sequences;
import io.alrai.cn.system.CnParts;
import io.alrai.cn.system.DnGroups;
import io.alrai.cn.tls.EndpointTls;
import io.alrai.cn.tls.TlsChoice;
import io.alrai.cn.tx.branch.TransactionNumbers;
import io.alrai.common.error.AlraiException;
import io.alrai.common.id.NodeId;
import io.alrai.common.metrics.Metric;
import io.alrai.common.metrics.Metrics;
import io.alrai.dn.clock.NodeClock;
import io.alrai.dn.link.DnLink;
import io.alrai.dn.link.Unfit;
import io.alrai.gms.api.Catalog;
import io.alrai.gms.api.CatalogCommand;
import io.alrai.gms.api.DdlJob;
import io.alrai.gms.api.GmsService;
import io.alrai.optimizer.api.planner.AlraiPlanner;
import io.netty.channel.EventLoop;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Wires the parts of one CN. Started and closed by the thread that runs the process. */
final class ComputeNode implements AutoCloseable {
  private static final Logger log = LoggerFactory.getLogger(ComputeNode.class);
  private static final int MAX_ALLOWED_PACKET = 64 << 20;

  private final NodeId self;
  private final GmsService gms;
  private final DnLinks links;
  private final EventLoops loops;
  private final Lease lease;
  private final Admission admission;
  private final LockKeeper locks;
  private final SnapshotClock snapshots;
  private final Metrics metrics;
  private final ColumnServices columnar;
  private final SecureTransport transport;
  private final SlowHashes passwords = new SlowHashes();
  private volatile Set<String> schemas = Set.of();
  private @Nullable DeadlockDetector detector;
  private @Nullable PrimaryZone zone;
  private @Nullable AnalyticServices analytic;
  private @Nullable SlowLog slowLog;

  /**
   * A CN.
   *
   * @param address where clients reach it
   * @param snapshots what its sessions read at
   * @param metrics of this process
   * @param columnar the column indexes of this process
   * @param transport the TLS of its endpoint
   */
  ComputeNode(
      NodeId self,
      GmsService gms,
      DnLinks links,
      EventLoops loops,
      String address,
      SnapshotClock snapshots,
      Metrics metrics,
      ColumnServices columnar,
      SecureTransport transport) {
    this.self = self;
    this.gms = gms;
    this.links = links;
    this.loops = loops;
    this.lease = new Lease(self, address, gms, System::nanoTime);
    this.admission = new Admission(gms::catalog, lease);
    this.locks = new LockKeeper(self, gms, admission, System::currentTimeMillis);
    this.snapshots = snapshots;
    this.metrics = metrics;
    this.columnar = columnar;
    this.transport = transport;
  }

  /**
   * What the sessions of a CN read at.
   *
   * @param clock the CN's, and the wall time that it uses
   * @param parts closes what asks the GMS
   */
  static SnapshotClock snapshots(
      TimestampMode mode,
      GmsService gms,
      NodeClock clock,
      LongSupplier wallMillis,
      Metrics metrics,
      Closers parts) {
    // 0 where nobody asks the GMS
    metrics.adder(Metric.TSO_REQUESTS);
    metrics.adder(Metric.TSO_TIMESTAMPS);
    metrics.clock(clock::nowValue, wallMillis);
    return new SnapshotClock(
        switch (mode) {
          case HLC -> new HybridTimestamps(clock, wallMillis);
          case TSO -> parts.add(new OracleTimestamps(gms::timestamps, clock, metrics));
        });
  }

  /**
   * The TLS of an endpoint. Blocking.
   *
   * @param data where certificates of its own are
   * @param parts closes it
   * @throws AlraiException with a sentence that says what is wrong with a file
   */
  static SecureTransport transport(EndpointChoice endpoint, Path data, Closers parts) {
    TlsChoice choice = endpoint.tls();
    Optional<EndpointTls> tls = EndpointTls.open(choice, data);
    tls.ifPresent(parts::add);
    return new SecureTransport(
        tls, choice.use() == TlsChoice.Use.REQUIRED, endpoint.nativePasswords());
  }

  /**
   * Makes the services of its sessions; asks the mysqlds for facts. Blocking.
   *
   * @param data where this process keeps its files
   * @param spans makes spans of statements; null for none
   */
  CnServices start(Path data, @Nullable StatementSpans spans) {
    long started = System.currentTimeMillis();
    SettingsRegistry settings =
        new SettingsRegistry(transport, new GlobalVariables(() -> gms.catalog().settings()));
    ShardQueries queries = new ShardQueries(links, loops.group().next(), settings.defaults());
    ServerFacts facts = facts(queries, settings);
    SessionRegistry sessions = sessions();
    StatementDigests digests = digests(queries, settings, slowLog(data, facts, settings), spans);
    gms.onChange(catalog -> sessions.pressure().follow(settings.globals()));
    sessions.pressure().follow(settings.globals());
    LearnedWeights weights = learned(queries);
    AlraiPlanner planner = planner(facts, weights);
    Map<EventLoop, StatementPlanner> planners = new ConcurrentHashMap<>();
    Sequences sequences = new Sequences(gms, System::nanoTime);
    LinkedDdlShards shards = new LinkedDdlShards(queries, settings);
    CnParts parts =
        new CnParts(
            self,
            gms,
            queries,
            facts,
            settings,
            sessions,
            planner,
            sequences,
            metrics,
            digests,
            new CheckViewKeeper(shards, gms::catalog),
            admission,
            rules(),
            jobs(),
            System::currentTimeMillis);
    DdlExecutor ddl = ddl(shards, sequences, parts.jobs());
    SpanningTransactions spanning = new SpanningTransactions();
    detector = new DeadlockDetector(spanning, queries, settings.defaults());
    zone = primaryZone(parts);
    AnalyticSelects selects = selects(settings, queries, facts);
    StatementExecutors executors = StatementExecutors.of(parts, weights, sequences, ddl, selects);
    return new CnServices(
        gms,
        new StatementServices(
            loop ->
                planners.computeIfAbsent(
                    loop, key -> new StatementPlanner(planner, gms::catalog, parts.rules())),
            executors.router(),
            executors.data(),
            selects,
            new CnAdmin(parts, executors.reader(), executors.others(), columnar.statements()),
            CursorRoom.of(metrics),
            MAX_ALLOWED_PACKET),
        new TransactionServices(
            links,
            new TransactionNumbers(self, started),
            snapshots,
            spanning,
            admission,
            new SpreadPredictor(),
            TransactionCounts.of(metrics)),
        clients(facts, settings, sessions, digests, started));
  }

  private RuleBook rules() {
    RuleBook rules = new RuleBook(RuleTotals.of(metrics));
    gms.onChange(rules::follow);
    metrics.now(Metric.CCL_RUNNING, () -> rules.total().running());
    metrics.now(Metric.CCL_WAITING, () -> rules.total().waiting());
    return rules;
  }

  private PrimaryZone primaryZone(CnParts parts) {
    return new PrimaryZone(
            self,
            gms::catalog,
            () -> DnGroups.of(parts),
            System::nanoTime,
            System::currentTimeMillis)
        .start();
  }

  private ClientServices clients(
      ServerFacts facts,
      SettingsRegistry settings,
      SessionRegistry sessions,
      StatementDigests digests,
      long started) {
    return new ClientServices(
        facts.version() + "-alrai",
        authentication(settings, sessions),
        sessions,
        settings,
        facts.collations(),
        LoginCounts.of(metrics),
        StatementCounts.of(metrics),
        digests,
        System::currentTimeMillis,
        started);
  }

  private SlowLog slowLog(Path data, ServerFacts facts, SettingsRegistry settings) {
    String version = facts.version() + "-alrai";
    SlowLog log = SlowLog.of(self, data, version, Thread::startVirtualThread, metrics);
    settings.slowLogFile(log.path());
    gms.onChange(catalog -> log.follow(gms.catalog().settings()));
    log.follow(gms.catalog().settings());
    slowLog = log;
    return log;
  }

  private StatementDigests digests(
      ShardQueries queries,
      SettingsRegistry settings,
      SlowLog slowLog,
      @Nullable StatementSpans spans) {
    StatementDigests digests =
        new StatementDigests(
            new DigestNames(queries, settings),
            new StatementTimes(metrics),
            slowLog,
            Thread::startVirtualThread,
            System::currentTimeMillis,
            spans);
    settings.followDigests(digests::on);
    return digests;
  }

  private Authentication authentication(SettingsRegistry settings, SessionRegistry sessions) {
    Authentication logins =
        new Authentication(
            gms::catalog,
            System::currentTimeMillis,
            transport.nativePasswords(),
            passwords,
            this::submitSoon,
            LoginCounts.of(metrics));
    gms.onChange(logins::follow);
    settings.followFlush(logins::forget);
    logins.boundBy(limits(settings, sessions));
    return logins;
  }

  private LimitedAccounts limits(SettingsRegistry settings, SessionRegistry sessions) {
    LimitedAccounts limits = LimitedAccounts.of(self, sessions, settings, gms, metrics);
    loops.group().next().scheduleAtFixedRate(limits::look, 1, 1, TimeUnit.SECONDS);
    return limits;
  }

  /** What nobody waits for, and may be lost: the next login brings it again. */
  private void submitSoon(CatalogCommand command) {
    Thread.startVirtualThread(() -> {
      try {
        gms.submit(command);
      } catch (AlraiException e) {
        log.info("a password is not kept salted yet: {}", e.sentence());
      }
    });
  }

  private SessionRegistry sessions() {
    Catalog catalog = lease.renew();
    locks.start();
    SessionRegistry sessions =
        new SessionRegistry(
            number(catalog),
            new UseCounts(System::currentTimeMillis),
            new ClusterAsk(
                self,
                gms::catalog,
                System::currentTimeMillis,
                System::nanoTime,
                metrics.adder(Metric.SILENT_NODES)),
            Pressure.of(metrics));
    watch(sessions);
    return sessions;
  }

  private void watch(SessionRegistry sessions) {
    gms.onChange(this::follow);
    metrics.now(Metric.CONNECTIONS, () -> sessions.all().size());
    measureLinks();
    EventLoop loop = loops.group().next();
    loop.scheduleAtFixedRate(sessions::endIdle, 1, 1, TimeUnit.SECONDS);
    loop.scheduleAtFixedRate(
        lease::tick, Lease.TICK_MILLIS, Lease.TICK_MILLIS, TimeUnit.MILLISECONDS);
  }

  private AnalyticSelects selects(
      SettingsRegistry settings, ShardQueries queries, ServerFacts facts) {
    AnalyticServices columns = new AnalyticServices(settings, metrics);
    analytic = columns;
    return columns.selects(columnar, gms::catalog, snapshots, queries, facts.collations());
  }

  private static ServerFacts facts(ShardQueries queries, SettingsRegistry settings) {
    ServerFacts facts = ServerFacts.read(queries);
    settings.connectTimeoutSeconds(facts.connectTimeoutSeconds());
    return facts;
  }

  private JobsAtWork jobs() {
    LongAdder slow = metrics.adder(Metric.DDL_SLOW_STEPS);
    JobsAtWork jobs = new JobsAtWork(System::nanoTime, System::currentTimeMillis, slow::increment);
    metrics.counted(Metric.DDL_FAILURES, List.of(), jobs.failures()::sum);
    metrics.now(
        Metric.DDL_JOBS, () -> gms.catalog().jobs().values().stream().filter(DdlJob::open).count());
    metrics.now(Metric.DDL_AGE, () -> jobs.oldestSeconds(gms.catalog()));
    ShownSteps shown = new ShownSteps(gms, jobs, self, Thread::startVirtualThread);
    loops
        .group()
        .next()
        .scheduleAtFixedRate(
            () -> {
              jobs.look(gms.catalog());
              shown.look(gms.catalog());
            },
            1,
            1,
            TimeUnit.SECONDS);
    return jobs;
  }

  /** It also takes up the jobs of CNs that are gone. */
  private DdlExecutor ddl(LinkedDdlShards shards, Sequences sequences, JobsAtWork jobs) {
    DdlExecutor ddl =
        new DdlExecutor(
            gms,
            shards,
            self,
            Thread::startVirtualThread,
            columnar.builds(),
            sequence -> sequences.take(sequence, 1),
            jobs);
    ShadowGrants grants = new ShadowGrants(gms::catalog, shards);
    grants.keep();
    lease.keep(new DdlRecovery(gms, ddl, grants, self)::runInBackground, admission::retry);
    return ddl;
  }

  private int number(Catalog catalog) {
    return catalog.computeNodes().stream()
        .filter(node -> node.id().equals(self))
        .findFirst()
        .orElseThrow()
        .number();
  }

  private static LearnedWeights learned(ShardQueries queries) {
    LearnedWeights weights = new LearnedWeights(new ShardQuestions(queries));
    weights.learnCommon();
    return weights;
  }

  private static AlraiPlanner planner(ServerFacts facts, LearnedWeights weights) {
    return new AlraiPlanner(collation ->
        facts
            .collations()
            .ofName(collation)
            .filter(found -> !found.padSpace())
            .flatMap(found -> Optional.ofNullable(weights.known(collation))));
  }

  /** Why it cannot serve, if it cannot. Any thread. */
  Optional<String> missing() {
    return lease.missing();
  }

  /** What is amiss, although it serves. Any thread. */
  List<String> amiss() {
    return lease.amiss();
  }

  /** A dropped schema takes the current schema of connections with it. */
  private void follow(Catalog catalog) {
    measureLinks();
    if (!catalog.schemas().keySet().equals(schemas)) {
      schemas = catalog.schemas().keySet();
      links.all().forEach(DnLink::forgetSchemas);
    }
  }

  private void measureLinks() {
    for (DnLink link : links.all()) {
      metrics.now(Metric.BACKEND_CONNECTIONS, link.dn(), link::openBranches);
      metrics.counted(Metric.LOST_REPLIES, link.dn(), link.lostReplies());
      metrics.measured(Metric.BACKEND_WAITS, link.dn(), link::waits);
      for (Unfit reason : Unfit.values()) {
        metrics.counted(Metric.UNFIT_CONNECTIONS, link.dn(), reason.label(), link.unfit(reason));
      }
    }
  }

  @Override
  public void close() {
    DeadlockDetector looking = detector;
    if (looking != null) {
      looking.close();
    }
    PrimaryZone led = zone;
    if (led != null) {
      led.close();
    }
    AnalyticServices columns = analytic;
    if (columns != null) {
      columns.close();
    }
    SlowLog written = slowLog;
    if (written != null) {
      written.close();
    }
    passwords.close();
    locks.close();
    lease.close();
  }
}
