package io.alrai.cn.process;

import io.alrai.cn.columnar.ColumnarService;
import io.alrai.cn.columnar.Holding;
import io.alrai.cn.health.DnsInSight;
import io.alrai.cn.health.Drain;
import io.alrai.cn.net.CnServer;
import io.alrai.cn.service.CnServices;
import io.alrai.cn.settings.SecureTransport;
import io.alrai.cn.snapshot.SnapshotClock;
import io.alrai.common.error.AlraiException;
import io.alrai.common.error.ErrorCode;
import io.alrai.common.id.NodeId;
import io.alrai.common.metrics.Metric;
import io.alrai.common.metrics.Metrics;
import io.alrai.common.metrics.Readiness;
import io.alrai.common.secret.ClusterSecret;
import io.alrai.common.time.HybridLogicalClock;
import io.alrai.dn.clock.NodeClock;
import io.alrai.gms.client.RaftGmsClient;
import io.alrai.gms.topology.ColumnNodes;
import java.time.Duration;
import java.util.function.LongSupplier;

/** Wires a CN as a process of its own. */
public final class CnProcess {
  private static final Duration DN_WAIT = Duration.ofSeconds(60);

  private final RoleConfig role;
  private final NodeId self;

  public CnProcess(RoleConfig role, NodeId self) {
    this.role = role;
    this.self = self;
  }

  public Service.Started start() throws InterruptedException {
    Closers parts = new Closers();
    boolean started = false;
    try {
      int port = start(parts);
      started = true;
      return new Service.Started(
          "ready mysql://root@" + role.listen().getHostString() + ":" + port + "/", parts);
    } finally {
      if (!started) {
        parts.close();
      }
    }
  }

  private int start(Closers parts) throws InterruptedException {
    SecureTransport transport = ComputeNode.transport(role.endpoint(), role.data(), parts);
    ClusterSecret secret = new ClusterSecret(role.secret());
    Metrics metrics = new Metrics();
    Readiness readiness = role.openMetrics(metrics, parts);
    RaftGmsClient gms = parts.add(RaftGmsClient.connect(role.knownGms(), secret, metrics));
    EventLoops loops = parts.add(EventLoops.alone());
    LongSupplier wall = role.clock().wall();
    HybridLogicalClock hybrid = role.clock().clock(wall);
    NodeClock clock = NodeClock.inMemory(hybrid);
    Runnable onSilence = metrics.adder(Metric.SILENT_AGENTS)::increment;
    RemoteLinks remote = parts.add(new RemoteLinks(gms, secret, self, clock, loops, onSilence));
    if (!remote.awaitFirst(DN_WAIT)) {
      throw new AlraiException(
          ErrorCode.ALRAI_NODE_UNAVAILABLE, "no DN has registered with the GMS");
    }
    DnsInSight.watch(remote.links(), readiness);
    FirstCatalog.account(gms, role.listen().getHostString());
    String address = role.listen().getHostString() + ":" + role.listen().getPort();
    SnapshotClock snapshots =
        ComputeNode.snapshots(role.timestamps(), gms, clock, wall, metrics, parts);
    ColumnServices columnar = columnar(gms, remote, loops, hybrid, metrics, parts);
    ComputeNode cn =
        parts.add(
            new ComputeNode(
                self,
                gms,
                remote.links(),
                loops,
                address,
                snapshots,
                metrics,
                columnar,
                transport));
    readiness.needs(cn::missing);
    CnServices services = cn.start();
    parts.add(remote.asking(services.clients().sessions().asks()));
    CnServer server =
        new CnServer(loops.group(), services, OpenFiles.mostClients(), role.endpoint().proxies());
    server.listen(role.listen().getHostString(), role.listen().getPort());
    parts.add(server);
    parts.add(
        new Drain(
            server, services.clients().sessions(), role.endpoint().drain(), System::nanoTime));
    parts.add(readiness.serves());
    return server.port();
  }

  /** Where there are column nodes, a CN keeps no columns itself. */
  private ColumnServices columnar(
      RaftGmsClient gms,
      RemoteLinks dns,
      EventLoops loops,
      HybridLogicalClock hybrid,
      Metrics metrics,
      Closers parts) {
    boolean nodes =
        !ColumnNodes.alive(gms.catalog().columnNodes(), System.currentTimeMillis()).isEmpty();
    if (nodes || role.columnsMegabytes() == 0) {
      return RemoteColumnServices.open(role, self, gms, dns, loops, parts);
    }
    ColumnarService service =
        parts.add(
            new ColumnarService(
                gms,
                dns::log,
                dns.links(),
                Holding.ALL,
                loops.group().next(),
                hybrid::advance,
                Limits.megabytes(role.columnsMegabytes()),
                metrics));
    service.start();
    return ColumnServices.of(service);
  }
}
