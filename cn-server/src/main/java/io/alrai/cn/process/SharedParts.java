package io.alrai.cn.process;

import io.alrai.cn.config.RoleConfig;
import io.alrai.common.id.NodeId;
import io.alrai.common.metrics.Metric;
import io.alrai.common.metrics.Metrics;
import io.alrai.common.secret.ClusterSecret;
import io.alrai.common.time.HybridLogicalClock;
import io.alrai.dn.clock.NodeClock;
import io.alrai.dn.link.DnLink;
import io.alrai.gms.client.RaftGmsClient;
import java.util.function.LongSupplier;
import java.util.function.UnaryOperator;

/**
 * What the roles of one process have in common. Made and closed by the thread that runs the
 * process.
 *
 * @param wall what the clock goes by
 * @param links to all DNs, by this process' name
 */
public record SharedParts(
    ClusterSecret secret,
    Metrics metrics,
    RaftGmsClient gms,
    EventLoops loops,
    LongSupplier wall,
    HybridLogicalClock hybrid,
    RemoteLinks links) {

  /**
   * Those of a process with a CN.
   *
   * @param self the CN's name
   * @throws io.alrai.common.error.AlraiException when the GMS does not answer
   */
  static SharedParts ofCn(
      RoleConfig role, NodeId self, Metrics metrics, EventLoops loops, Closers parts) {
    return open(role, self, metrics, loops, counted(metrics), UnaryOperator.identity(), parts);
  }

  /** Those of a process without a CN. */
  static SharedParts withoutCn(
      RoleConfig role, NodeId self, Metrics metrics, EventLoops loops, Closers parts) {
    return open(role, self, metrics, loops, () -> {}, UnaryOperator.identity(), parts);
  }

  /**
   * Those of a process with a CN and the agent of a DN.
   *
   * @param self the CN's name
   * @param seen what the CN takes for each link
   * @throws io.alrai.common.error.AlraiException when the GMS does not answer
   */
  public static SharedParts ofNode(
      RoleConfig role, NodeId self, Metrics metrics, UnaryOperator<DnLink> seen, Closers parts) {
    EventLoops loops = parts.add(EventLoops.besideMysqlds());
    return open(role, self, metrics, loops, counted(metrics), seen, parts);
  }

  private static Runnable counted(Metrics metrics) {
    return metrics.adder(Metric.SILENT_AGENTS)::increment;
  }

  private static SharedParts open(
      RoleConfig role,
      NodeId self,
      Metrics metrics,
      EventLoops loops,
      Runnable onSilence,
      UnaryOperator<DnLink> seen,
      Closers parts) {
    ClusterSecret secret = role.secret().open();
    RaftGmsClient gms = parts.add(RaftGmsClient.connect(role.knownGms(), secret, metrics));
    LongSupplier wall = role.clock().wall();
    HybridLogicalClock hybrid = role.clock().clock(wall);
    NodeClock clock = NodeClock.inMemory(hybrid);
    RemoteLinks links =
        parts.add(new RemoteLinks(gms, secret, self, clock, loops, onSilence, seen));
    return new SharedParts(secret, metrics, gms, loops, wall, hybrid, links);
  }

  /** The clock as nodes tell each other of it. */
  NodeClock clock() {
    return NodeClock.inMemory(hybrid);
  }
}
