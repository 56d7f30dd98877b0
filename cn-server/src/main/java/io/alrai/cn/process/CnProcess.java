package io.alrai.cn.process;

import io.alrai.cn.columnar.ColumnarService;
import io.alrai.cn.columnar.Holding;
import io.alrai.cn.config.Limits;
import io.alrai.cn.config.RoleConfig;
import io.alrai.cn.health.DnsInSight;
import io.alrai.cn.health.Drain;
import io.alrai.cn.net.CnServer;
import io.alrai.cn.service.CnServices;
import io.alrai.cn.settings.SecureTransport;
import io.alrai.cn.snapshot.SnapshotClock;
import io.alrai.common.error.AlraiException;
import io.alrai.common.error.ErrorCode;
import io.alrai.common.id.NodeId;
import io.alrai.common.metrics.Metrics;
import io.alrai.common.metrics.Readiness;
import io.alrai.common.net.HostPort;
import io.alrai.gms.client.RaftGmsClient;
import io.alrai.gms.topology.ColumnNodes;
import java.time.Duration;

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
    return Service.Started.of(
        parts -> "ready mysql://root@" + role.listen().getHostString() + ":" + start(parts) + "/");
  }

  private int start(Closers parts) throws InterruptedException {
    SecureTransport transport = ComputeNode.transport(role.endpoint(), role.data(), parts);
    Metrics metrics = new Metrics();
    Readiness readiness = role.openMetrics(metrics, parts::add);
    EventLoops loops = parts.add(EventLoops.of(role.endpoint().loops()));
    SharedParts shared = SharedParts.ofCn(role, self, metrics, loops, parts);
    int port = start(shared, readiness, transport, parts);
    parts.add(readiness.serves());
    return port;
  }

  /**
   * As {@link #start}, in a process that serves metrics itself.
   *
   * @param readiness learns what it needs
   * @return the endpoint's port
   */
  public int startIn(SharedParts shared, Readiness readiness, Closers parts)
      throws InterruptedException {
    SecureTransport transport = ComputeNode.transport(role.endpoint(), role.data(), parts);
    return start(shared, readiness, transport, parts);
  }

  private int start(
      SharedParts shared, Readiness readiness, SecureTransport transport, Closers parts)
      throws InterruptedException {
    RaftGmsClient gms = shared.gms();
    Metrics metrics = shared.metrics();
    EventLoops loops = shared.loops();
    RemoteLinks remote = shared.links();
    if (!remote.awaitFirst(DN_WAIT)) {
      throw new AlraiException(
          ErrorCode.ALRAI_NODE_UNAVAILABLE, "no DN has registered with the GMS");
    }
    DnsInSight.watch(remote.links(), readiness);
    FirstCatalog.account(gms, role.listen().getHostString());
    String address = HostPort.of(role.listen()).toString();
    SnapshotClock snapshots =
        ComputeNode.snapshots(
            role.timestamps(), gms, shared.clock(), shared.wall(), metrics, parts);
    ColumnServices columnar = columnar(shared, parts);
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
    readiness.notes(cn::amiss);
    CnServices services =
        cn.start(role.data(), role.endpoint().spans().open(self, metrics, parts::add));
    parts.add(remote.asking(services.clients().sessions().asks()));
    CnServer server =
        new CnServer(loops.group(), services, OpenFiles.mostClients(), role.endpoint().proxies());
    server.listen(role.listen().getHostString(), role.listen().getPort());
    parts.add(server);
    parts.add(
        new Drain(
            server::listenNoMore,
            services.clients().sessions(),
            role.endpoint().drain(),
            System::nanoTime));
    return server.port();
  }

  /** Where there are column nodes, a CN keeps no columns itself. */
  private ColumnServices columnar(SharedParts shared, Closers parts) {
    RaftGmsClient gms = shared.gms();
    RemoteLinks dns = shared.links();
    EventLoops loops = shared.loops();
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
                shared.hybrid()::advance,
                Limits.megabytes(role.columnsMegabytes()),
                shared.metrics()));
    service.start();
    return ColumnServices.of(service);
  }
}
