package io.alrai.cn.launch;

import io.alrai.cn.config.Limits;
import io.alrai.cn.config.RoleConfig;
import io.alrai.cn.node.NodeConfig;
import io.alrai.cn.process.Closers;
import io.alrai.cn.process.ClusterConfig;
import io.alrai.cn.process.Service;
import io.alrai.cn.tls.EndpointTls;
import io.alrai.common.secret.PrivateFiles;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * A cluster of nodes, as processes of one machine, with endpoints on ports P, P+1, ... Their
 * configurations are in {@code DIR/etc}, kept for the next start. A node that ends is started
 * again. When this process is killed the nodes go on; the next start ends them first.
 */
public final class NodeCluster {
  private final ClusterConfig cluster;
  private final int nodes;
  private final int columnars;

  /**
   * A cluster.
   *
   * @param cluster its directory, the first endpoint, the replicas of a new one, the first port for
   *     metrics
   * @param nodes of a new one
   * @param columnars how many nodes of a new one have a column node
   */
  public NodeCluster(ClusterConfig cluster, int nodes, int columnars) {
    this.cluster = cluster;
    this.nodes = nodes;
    this.columnars = columnars;
  }

  /** Starts all and returns when they serve; of groups and of the GMS a majority is enough. */
  public Service.Started start() throws InterruptedException, IOException {
    Path directory = cluster.data();
    Closers parts = new Closers();
    boolean started = false;
    try {
      // what is wrong with it is said before anything runs
      EndpointTls.open(cluster.endpoint().tls(), directory).ifPresent(EndpointTls::close);
      Leftovers.clear(directory);
      List<NodeConfig> all = NodeRoles.of(directory, nodes, cluster.replicas(), columnars);
      List<KeptRole> kept = new ArrayList<>();
      for (int i = 0; i < all.size(); i++) {
        NodeConfig node = placed(all.get(i), i, all.size());
        Path config = ProcessCluster.configOf(directory, node.role().node());
        PrivateFiles.write(config, node.text());
        kept.add(KeptRole.of(directory, node.role().node(), "node", config));
      }
      RoleGroup group = parts.add(new RoleGroup(kept));
      if (all.stream().filter(node -> node.gms().isPresent()).count() == 1) {
        group.start();
      } else {
        group.startTogether(enough(all)); // each waits for a majority
      }
      started = true;
      return new Service.Started(
          "ready mysql://root@" + cluster.host() + ":" + cluster.port() + "/", parts);
    } finally {
      if (!started) {
        parts.close();
      }
    }
  }

  /** As it is to be started now. */
  private NodeConfig placed(NodeConfig node, int index, int count) {
    int metrics = cluster.metricsPort();
    RoleConfig role = node.role();
    return new NodeConfig(
        cluster
            .memberTls()
            .map(role::withMemberTls)
            .orElse(role)
            .as(role.node(), new InetSocketAddress(cluster.host(), cluster.port() + index))
            .withMetricsPort(metrics == 0 ? 0 : metrics + index)
            .withTimestamps(cluster.timestamps())
            .withEndpoint(cluster.endpoint())
            .withColumnsMegabytes(Limits.columnsMegabytes() / count),
        node.cn(),
        node.agent(),
        node.gms(),
        node.columnar());
  }

  /** One may be missing where it is a member of a group: two may be of the same one. */
  private static int enough(List<NodeConfig> all) {
    boolean groups = all.stream().noneMatch(node -> node.role().groups().isEmpty());
    return groups ? all.size() - 1 : all.size();
  }
}
