package io.alrai.cn.console;

import io.alrai.cn.net.CnServer;
import io.alrai.cn.shard.DnLinks;
import io.alrai.common.id.DnId;
import io.alrai.common.id.NodeId;
import io.alrai.dn.backend.PoolLimits;
import io.alrai.dn.mysqld.DataDirectoryTemplate;
import io.alrai.dn.mysqld.InstallProgress;
import io.alrai.dn.mysqld.MysqlInstallation;
import io.alrai.dn.mysqld.MysqlInstallations;
import io.alrai.dn.mysqld.MysqlSearch;
import io.alrai.dn.mysqld.MysqldConfig;
import io.alrai.dn.mysqld.MysqldInstance;
import io.alrai.dn.mysqld.MysqldMemory;
import io.alrai.dn.role.DnAgent;
import io.alrai.gms.api.Account;
import io.alrai.gms.api.Catalog;
import io.alrai.gms.api.CatalogCommand;
import io.alrai.gms.api.DataNode;
import io.alrai.gms.api.GmsService;
import io.alrai.gms.client.EmbeddedGms;
import io.netty.channel.EventLoop;
import io.netty.channel.EventLoopGroup;
import io.netty.channel.MultiThreadIoEventLoopGroup;
import io.netty.channel.epoll.EpollIoHandler;
import io.netty.util.concurrent.EventExecutor;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** GMS, CN and agents in one process, with a mysqld for each DN. Blocking; any one thread. */
public final class EmbeddedCluster implements AutoCloseable {
  private static final int MAX_BRANCHES_OF_A_DN = 80;
  private static final long BRANCH_WAIT_SECONDS = 20;
  private static final NodeId SELF = new NodeId("cn-1");

  private final List<AutoCloseable> parts = new ArrayList<>();
  private final List<DnAgent> agents = new ArrayList<>();
  private CnServer server;
  private GmsService gms;

  /** Starts everything and returns when the endpoint serves. */
  @SuppressWarnings("NullAway.Init")
  private EmbeddedCluster() {}

  /**
   * Starts a cluster, new or kept.
   *
   * @throws io.alrai.common.error.AlraiException or MysqldException with a sentence that says what
   *     is wrong; nothing is left running then
   */
  public static EmbeddedCluster start(ClusterConfig config, InstallProgress progress) {
    EmbeddedCluster cluster = new EmbeddedCluster();
    boolean started = false;
    try {
      cluster.run(config, progress);
      started = true;
      return cluster;
    } finally {
      if (!started) {
        cluster.close();
      }
    }
  }

  private void run(ClusterConfig config, InstallProgress progress) {
    MysqlSearch search = MysqlSearch.fromEnvironment(System.getenv());
    MysqlInstallation installation = MysqlInstallations.find(search, progress);
    EmbeddedGms embedded = EmbeddedGms.start(config.data().resolve("gms"));
    parts.add(embedded);
    gms = embedded.service();
    int processors = Runtime.getRuntime().availableProcessors();
    int loopCount = config.loops() > 0 ? config.loops() : processors;
    EventLoopGroup loops = new MultiThreadIoEventLoopGroup(loopCount, EpollIoHandler.newFactory());
    parts.add(() -> loops.shutdownGracefully(0, 2, TimeUnit.SECONDS).awaitUninterruptibly(3_000));
    DnLinks links = new DnLinks();
    startAgents(config, loops, links, installation, search, progress);
    registerNew();
    ComputeNode cn = new ComputeNode(SELF, gms, links, loops);
    server = new CnServer(loops, cn.start(installation.version().toString()));
    server.listen(config.host(), config.port());
    parts.add(server);
  }

  private void startAgents(
      ClusterConfig config,
      EventLoopGroup loops,
      DnLinks links,
      MysqlInstallation installation,
      MysqlSearch search,
      InstallProgress progress) {
    List<EventLoop> each = new ArrayList<>();
    for (EventExecutor loop : loops) {
      each.add((EventLoop) loop);
    }
    List<DataNode> known = gms.catalog().dataNodes();
    int count = known.isEmpty() ? config.dns() : known.size();
    DataDirectoryTemplate template =
        new DataDirectoryTemplate(installation, search.cacheDirectory(), progress);
    PoolLimits limits =
        new PoolLimits(
            Math.max(4, MAX_BRANCHES_OF_A_DN / each.size()),
            TimeUnit.SECONDS.toNanos(BRANCH_WAIT_SECONDS));
    MysqldMemory memory = MysqldMemory.shareOfThisMachine(count);
    for (int i = 1; i <= count; i++) {
      DnId dn = new DnId("dn-" + i);
      MysqldConfig mysqld = MysqldConfig.of(config.data().resolve(dn.name()), i).withMemory(memory);
      DnAgent agent =
          DnAgent.start(
              dn,
              MysqldInstance.create(template, mysqld),
              each,
              limits,
              other -> links.link(other).participant(),
              System::currentTimeMillis);
      agents.add(agent);
      parts.add(agent);
      links.put(agent.link());
    }
  }

  /** A new cluster's DNs and its first account: root from anywhere on this host, no password. */
  private void registerNew() {
    Catalog catalog = gms.catalog();
    for (DnAgent agent : agents) {
      if (catalog.dataNode(agent.dn()).isEmpty()) {
        gms.submit(new CatalogCommand.PutDataNode(new DataNode(agent.dn(), DataNode.EMBEDDED)));
      }
    }
    if (catalog.accounts().isEmpty()) {
      gms.submit(new CatalogCommand.PutAccount(new Account("root", "%", "", "", false)));
    }
  }

  /** The endpoint's port. */
  public int port() {
    return server.port();
  }

  /** The agents, by number. */
  public List<DnAgent> agents() {
    return List.copyOf(agents);
  }

  /** The cluster's catalog. */
  public GmsService gms() {
    return gms;
  }

  /** Ends everything in order: clients, agents with their mysqlds, event loops, GMS. */
  @Override
  public void close() {
    for (int i = parts.size() - 1; i >= 0; i--) {
      try {
        parts.get(i).close();
      } catch (Exception e) {
        System.err.println("while stopping: " + e.getMessage());
      }
    }
    parts.clear();
  }
}
