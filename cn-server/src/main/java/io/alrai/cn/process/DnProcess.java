package io.alrai.cn.process;

import io.alrai.common.id.DnId;
import io.alrai.common.id.NodeId;
import io.alrai.common.metrics.Metric;
import io.alrai.common.metrics.Metrics;
import io.alrai.common.secret.ClusterSecret;
import io.alrai.common.time.HybridLogicalClock;
import io.alrai.dn.clock.NodeClock;
import io.alrai.dn.mysqld.DataDirectoryTemplate;
import io.alrai.dn.mysqld.MysqlInstallation;
import io.alrai.dn.mysqld.MysqlInstallations;
import io.alrai.dn.mysqld.MysqlSearch;
import io.alrai.dn.mysqld.MysqldConfig;
import io.alrai.dn.mysqld.MysqldInstance;
import io.alrai.dn.mysqld.MysqldMemory;
import io.alrai.dn.role.DnAgent;
import io.alrai.dn.role.Lead;
import io.alrai.dn.role.LeaderContext;
import io.alrai.dn.role.MemberContext;
import io.alrai.dn.rpc.AgentServer;
import io.alrai.dn.rpc.Leading;
import io.alrai.dn.rpc.Peers;
import io.alrai.gms.api.CatalogCommand;
import io.alrai.gms.api.DataNode;
import io.alrai.gms.client.RaftGmsClient;
import java.net.InetSocketAddress;
import java.util.function.LongSupplier;

/** Wires a DN as a process of its own. */
public final class DnProcess {

  private final RoleConfig role;
  private final DnId dn;

  /** The DN that has the name of this node. */
  public DnProcess(RoleConfig role) {
    this.role = role;
    this.dn = new DnId(role.node());
  }

  public Service.Started start() {
    EventLoops.requireMachine();
    Closers parts = new Closers();
    boolean started = false;
    try {
      InetSocketAddress address = start(parts);
      started = true;
      return new Service.Started(
          "ready dn " + dn + " " + address.getHostString() + ":" + address.getPort(), parts);
    } finally {
      if (!started) {
        parts.close();
      }
    }
  }

  private InetSocketAddress start(Closers parts) {
    ConsoleProgress progress = new ConsoleProgress(System.err);
    MysqlSearch search = MysqlSearch.fromEnvironment(System.getenv());
    MysqlInstallation installation = MysqlInstallations.find(search, progress);
    LongSupplier wall = role.clock().wall();
    ClusterSecret secret = new ClusterSecret(role.secret());
    RaftGmsClient gms = parts.add(RaftGmsClient.connect(role.gms(), secret));
    int number = Math.max(1, Integer.parseInt("0" + dn.name().replaceAll("\\D", "")));
    MysqldConfig mysqld =
        MysqldConfig.of(role.data().resolve(dn.name()), number)
            .withMemory(MysqldMemory.shareOfThisMachine(2))
            .withSemiSync();
    DnAdmission.check(gms.catalog(), dn, mysqld);
    EventLoops loops = parts.add(EventLoops.besideMysqlds());
    HybridLogicalClock clock = role.clock().clock(wall);
    RemoteLinks others =
        parts.add(
            new RemoteLinks(gms, secret, new NodeId(dn.name()), NodeClock.inMemory(clock), loops));
    MysqldInstance instance =
        MysqldInstance.create(
            new DataDirectoryTemplate(installation, search.cacheDirectory(), progress), mysqld);
    Metrics metrics = new Metrics();
    Peers peers = new Peers(System::nanoTime);
    DnAgent[] own = new DnAgent[1];
    DnAgent agent =
        DnAgent.start(
            dn,
            instance,
            new MemberContext(loops.each(), clock, wall, System::nanoTime, metrics),
            new LeaderContext(
                Limits.pool(loops.each().size()),
                other ->
                    other.equals(dn) && own[0] != null
                        ? own[0].lead().link().participant()
                        : others.links().link(other).participant(),
                peers));
    own[0] = agent;
    parts.add(agent);
    AgentServer server =
        parts.add(
            new AgentServer(
                dn,
                secret,
                agent.clock(),
                peers,
                loops.group(),
                metrics.adder(Metric.HELD_REPLIES, dn)));
    Lead lead = agent.lead();
    server.lead(
        Leading.alone(lead.connector(), lead.link().participant(), lead.link().views(), lead));
    InetSocketAddress address = server.start(role.listen());
    gms.submit(
        new CatalogCommand.RegisterDataNode(
            new DataNode(dn, address.getHostString() + ":" + address.getPort())));
    role.openMetrics(metrics, parts);
    return address;
  }
}
