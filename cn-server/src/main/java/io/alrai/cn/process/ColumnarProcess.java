package io.alrai.cn.process;

import io.alrai.cn.analytic.SentPlans;
import io.alrai.cn.columnar.ColumnarService;
import io.alrai.cn.columnar.node.NodeProducer;
import io.alrai.cn.columnar.node.OwnPlaces;
import io.alrai.cn.columnar.node.PeerScans;
import io.alrai.cn.columnar.remote.NodeLinks;
import io.alrai.cn.columnar.wire.MemberFlight;
import io.alrai.cn.config.Limits;
import io.alrai.cn.config.RoleConfig;
import io.alrai.cn.health.DnsInSight;
import io.alrai.cn.settings.SettingsRegistry;
import io.alrai.columnar.segment.MemoryBudget;
import io.alrai.common.error.AlraiException;
import io.alrai.common.error.ErrorCode;
import io.alrai.common.id.NodeId;
import io.alrai.common.metrics.Metrics;
import io.alrai.common.metrics.Readiness;
import io.alrai.common.secret.ClusterSecret;
import io.alrai.gms.client.RaftGmsClient;
import java.io.IOException;
import java.time.Duration;
import org.apache.arrow.flight.FlightServer;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.memory.RootAllocator;

/** Wires a column node as a process of its own. */
public final class ColumnarProcess {
  private static final Duration DN_WAIT = Duration.ofSeconds(60);

  /** The most bytes of all results that are on their way. */
  private static final long BATCH_BYTES = 64L << 20;

  /** Copies of what other nodes have, of all plans together. */
  private static final long PEER_BYTES = 1L << 30;

  /** The most bytes of one result: what a CN does not take waits as rows in the query's memory. */
  private static final int SENT_AHEAD_BYTES = 512 << 10;

  private final RoleConfig role;
  private final NodeId self;

  public ColumnarProcess(RoleConfig role, NodeId self) {
    this.role = role;
    this.self = self;
  }

  public Service.Started start() throws InterruptedException {
    if (role.columnsMegabytes() == 0) {
      throw new AlraiException(
          ErrorCode.ER_WRONG_VALUE_FOR_VAR,
          "a column node needs memory for its indexes: columns.memory.mb is 0");
    }
    return Service.Started.of(parts -> {
      Metrics metrics = new Metrics();
      Readiness readiness = role.openMetrics(metrics, parts::add);
      String address = startIn(metrics, readiness, parts);
      parts.add(readiness.serves());
      return "ready columnar " + self + " " + address;
    });
  }

  /**
   * As {@link #start}, in a process that serves metrics itself.
   *
   * @param readiness learns what it needs
   * @return where it listens
   */
  public String startIn(Metrics metrics, Readiness readiness, Closers parts)
      throws InterruptedException {
    EventLoops loops = parts.add(EventLoops.alone());
    SharedParts shared = SharedParts.withoutCn(role, self, metrics, loops, parts);
    ClusterSecret secret = shared.secret();
    RaftGmsClient gms = shared.gms();
    RemoteLinks dns = shared.links();
    LinkedLease follows = parts.add(new LinkedLease(self, gms));
    follows.keep();
    if (!dns.awaitFirst(DN_WAIT)) {
      throw new AlraiException(
          ErrorCode.ALRAI_NODE_UNAVAILABLE, "no DN has registered with the GMS");
    }
    ColumnarService service =
        parts.add(
            new ColumnarService(
                gms,
                dns::log,
                dns.links(),
                new OwnPlaces(self, System::currentTimeMillis),
                loops.group().next(),
                shared.hybrid()::advance,
                Limits.megabytes(role.columnsMegabytes()),
                metrics));
    AnalyticServices analytic = parts.add(new AnalyticServices(new SettingsRegistry(), metrics));
    BufferAllocator allocator = parts.add(new RootAllocator(BATCH_BYTES));
    NodeLinks others = parts.add(new NodeLinks(gms, secret, self));
    others.start();
    NodeProducer producer =
        new NodeProducer(
            self,
            service,
            new SentPlans(analytic.resources()),
            new PeerScans(others, new MemoryBudget(PEER_BYTES)),
            allocator);
    FlightServer server = parts.add(listen(secret, producer, allocator));
    String address = role.listen().getHostString() + ":" + server.getPort();
    // first, so that nodes that start together know of each other
    ColumnLease lease = parts.add(new ColumnLease(self, address, gms, System::nanoTime));
    lease.keep();
    parts.add((AutoCloseable) follows::close); // a renewal after the removal would bring it back
    service.start();
    DnsInSight.watch(dns.links(), readiness);
    readiness.needs(lease::missing);
    return address;
  }

  private FlightServer listen(
      ClusterSecret secret, NodeProducer producer, BufferAllocator allocator) {
    try {
      return new MemberFlight(secret)
          .server(allocator, role.listen().getHostString(), role.listen().getPort(), producer)
          .backpressureThreshold(SENT_AHEAD_BYTES)
          .build()
          .start();
    } catch (IOException e) {
      throw new AlraiException(
          ErrorCode.ALRAI_NODE_UNAVAILABLE,
          "cannot listen on " + role.listen().getHostString() + ": " + e.getMessage(),
          e);
    }
  }
}
