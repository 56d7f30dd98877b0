package io.alrai.cn.process;

import io.alrai.cn.branch.DnLinks;
import io.alrai.cn.columnar.ColumnarService;
import io.alrai.cn.columnar.Holding;
import io.alrai.cn.config.EndpointChoice;
import io.alrai.cn.config.Limits;
import io.alrai.cn.health.Drain;
import io.alrai.cn.net.CnServer;
import io.alrai.cn.service.CnServices;
import io.alrai.cn.settings.SecureTransport;
import io.alrai.cn.snapshot.SnapshotClock;
import io.alrai.columnar.serve.ColumnIndexes;
import io.alrai.common.id.DnId;
import io.alrai.common.id.NodeId;
import io.alrai.common.metrics.Metric;
import io.alrai.common.metrics.Metrics;
import io.alrai.common.metrics.MetricsPort;
import io.alrai.common.metrics.ProcessMetrics;
import io.alrai.common.metrics.Readiness;
import io.alrai.common.time.HybridLogicalClock;
import io.alrai.dn.clock.NodeClock;
import io.alrai.dn.clock.WallTime;
import io.alrai.dn.link.CoordinatorPulse;
import io.alrai.dn.mysqld.DataDirectoryTemplate;
import io.alrai.dn.mysqld.InstallProgress;
import io.alrai.dn.mysqld.MysqlInstallation;
import io.alrai.dn.mysqld.MysqlInstallations;
import io.alrai.dn.mysqld.MysqlSearch;
import io.alrai.dn.mysqld.MysqldConfig;
import io.alrai.dn.mysqld.MysqldInstance;
import io.alrai.dn.mysqld.MysqldMemory;
import io.alrai.dn.mysqld.MysqldState;
import io.alrai.dn.role.DnAgent;
import io.alrai.dn.role.LeaderContext;
import io.alrai.dn.role.MemberContext;
import io.alrai.dn.ship.DnLog;
import io.alrai.gms.api.GmsService;
import io.alrai.gms.api.node.DataNode;
import io.alrai.gms.client.EmbeddedGms;
import io.netty.channel.EventLoop;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;

/** GMS, CN and agents in one process, with a mysqld for each DN. Blocking; any one thread. */
public final class EmbeddedCluster implements AutoCloseable {
  private static final NodeId SELF = new NodeId("cn-1");

  private final Closers parts;
  private final GmsService gms;
  private final List<DnAgent> agents;
  private final ColumnIndexes indexes;
  private final CnServer server;

  private EmbeddedCluster(
      Closers parts, GmsService gms, List<DnAgent> agents, ColumnIndexes indexes, CnServer server) {
    this.parts = parts;
    this.gms = gms;
    this.agents = agents;
    this.indexes = indexes;
    this.server = server;
  }

  /**
   * Starts a cluster, new or kept, and returns when the endpoint serves.
   *
   * @throws io.alrai.common.error.AlraiException or MysqldException with a sentence that says what
   *     is wrong; nothing is left running then
   */
  public static EmbeddedCluster start(ClusterConfig config, InstallProgress progress) {
    Closers parts = new Closers();
    boolean started = false;
    try {
      SecureTransport transport = ComputeNode.transport(config.endpoint(), config.data(), parts);
      EventLoops.requireMachine();
      Metrics metrics = metrics();
      ProcessMetrics.disk(metrics, config.data());
      Readiness readiness =
          MetricsPort.openIfWanted(metrics, config.host(), config.metricsPort(), parts::add);
      MysqlSearch search = MysqlSearch.fromEnvironment(System.getenv());
      MysqlInstallation installation = MysqlInstallations.find(search, progress);
      EmbeddedGms embedded = parts.add(EmbeddedGms.start(config.data().resolve("gms"), metrics));
      GmsService gms = embedded.service();
      EventLoops loops = parts.add(EventLoops.besideMysqlds());
      DnLinks links = new DnLinks();
      DataDirectoryTemplate template =
          new DataDirectoryTemplate(installation, search.cacheDirectory(), progress);
      HybridLogicalClock clock = new HybridLogicalClock(WallTime.system());
      MemberContext members =
          new MemberContext(loops.each(), clock, WallTime.system(), System::nanoTime, metrics);
      List<DnAgent> agents = startAgents(config, gms, links, template, members, parts);
      FirstCatalog.register(
          gms, agents.stream().map(agent -> agent.lead().dn()).toList(), config.host());
      SnapshotClock snapshots = snapshots(config, gms, clock, metrics, parts);
      ColumnarService columnar =
          parts.add(columnar(gms, agents, links, loops.group().next(), clock, metrics));
      columnar.start();
      ComputeNode cn =
          parts.add(
              new ComputeNode(
                  SELF,
                  gms,
                  links,
                  loops,
                  config.host() + ":" + config.port(),
                  snapshots,
                  metrics,
                  ColumnServices.of(columnar),
                  transport));
      readiness.needs(cn::missing);
      readiness.notes(cn::amiss);
      readiness.notes(() -> withoutMysqld(agents));
      CnServices services =
          cn.start(config.data(), config.endpoint().spans().open(SELF, metrics, parts::add));
      CnServer server = listen(config, loops, services, parts);
      parts.add(readiness.serves());
      started = true;
      return new EmbeddedCluster(parts, gms, agents, columnar, server);
    } finally {
      if (!started) {
        parts.close();
      }
    }
  }

  private static CnServer listen(
      ClusterConfig config, EventLoops loops, CnServices services, Closers parts) {
    EndpointChoice endpoint = config.endpoint();
    CnServer server =
        parts.add(
            new CnServer(loops.group(), services, OpenFiles.mostClients(), endpoint.proxies()));
    server.listen(config.host(), config.port());
    parts.add(
        new Drain(
            server::listenNoMore,
            services.clients().sessions(),
            endpoint.drain(),
            System::nanoTime));
    return server;
  }

  private static List<String> withoutMysqld(List<DnAgent> agents) {
    return agents.stream()
        .filter(agent -> agent.supervisor().state() != MysqldState.UP)
        .map(agent -> "the mysqld of " + agent.lead().dn() + " does not run")
        .toList();
  }

  private static Metrics metrics() {
    Metrics metrics = new Metrics();
    // agents of the same process do not fall silent
    metrics.adder(Metric.SILENT_AGENTS);
    return metrics;
  }

  private static SnapshotClock snapshots(
      ClusterConfig config,
      GmsService gms,
      HybridLogicalClock clock,
      Metrics metrics,
      Closers parts) {
    return ComputeNode.snapshots(
        config.timestamps(), gms, NodeClock.inMemory(clock), WallTime.system(), metrics, parts);
  }

  private static ColumnarService columnar(
      GmsService gms,
      List<DnAgent> agents,
      DnLinks links,
      EventLoop reading,
      HybridLogicalClock clock,
      Metrics metrics) {
    return new ColumnarService(
        gms,
        dn -> agentOf(dn, agents),
        links,
        Holding.ALL,
        reading,
        clock::advance,
        Limits.megabytes(Limits.columnsMegabytes()),
        metrics);
  }

  private static Optional<DnLog> agentOf(DnId dn, List<DnAgent> agents) {
    return agents.stream()
        .map(DnAgent::lead)
        .filter(lead -> lead.dn().equals(dn))
        .map(DnLog.class::cast)
        .findFirst();
  }

  private static List<DnAgent> startAgents(
      ClusterConfig config,
      GmsService gms,
      DnLinks links,
      DataDirectoryTemplate template,
      MemberContext members,
      Closers parts) {
    LeaderContext leaders =
        new LeaderContext(
            Limits.pool(members.loops().size()),
            other -> links.link(other).participant(),
            CoordinatorPulse.OF_THIS_PROCESS);
    List<DataNode> known = gms.catalog().dataNodes();
    int count = known.isEmpty() ? config.dns() : known.size();
    MysqldMemory memory = MysqldMemory.shareOfThisMachine(count);
    Map<DnId, MysqldConfig> mysqlds = new LinkedHashMap<>();
    for (int i = 1; i <= count; i++) {
      DnId dn = new DnId("dn-" + i);
      MysqldConfig mysqld =
          MysqldConfig.of(config.data().resolve(dn.name()), i).withMemory(memory).withSemiSync();
      DnAdmission.check(gms.catalog(), dn, mysqld);
      mysqlds.put(dn, mysqld);
    }
    if (known.isEmpty()) {
      template.prepare(); // once, not by each of them
    }
    Map<DnId, DnAgent> agents = new ConcurrentHashMap<>();
    // a mysqld takes 1 s to start, and 2 to end
    parts.add(() -> Closers.together(List.copyOf(agents.values()), DnAgent::close));
    Closers.together(
        List.copyOf(mysqlds.keySet()),
        dn -> {
          MysqldConfig mysqld = Objects.requireNonNull(mysqlds.get(dn));
          MysqldInstance instance = MysqldInstance.create(template, mysqld);
          DnAgent agent = DnAgent.start(dn, instance, members, leaders);
          agents.put(dn, agent);
          links.put(agent.lead().link());
        });
    return mysqlds.keySet().stream().map(agents::get).map(Objects::requireNonNull).toList();
  }

  /** The endpoint's port. */
  public int port() {
    return server.port();
  }

  /** The agents, by number. */
  public List<DnAgent> agents() {
    return List.copyOf(agents);
  }

  /** The column indexes. */
  public ColumnIndexes columnIndexes() {
    return indexes;
  }

  /** The cluster's catalog. */
  public GmsService gms() {
    return gms;
  }

  /** Ends everything in order: clients, CN, agents with their mysqlds, event loops, GMS. */
  @Override
  public void close() {
    parts.close();
  }
}
