package io.alrai.cn.launch;

import io.alrai.cn.process.RoleConfig;
import io.alrai.common.id.NodeId;
import io.alrai.common.net.ListenPorts;
import io.alrai.common.secret.ClusterSecret;
import io.alrai.gms.api.GmsPeer;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * The GMS nodes of a cluster on one machine: {@code gms-1}, and {@code gms-2} and {@code gms-3}.
 */
public final class GmsRoles {
  private static final String FIRST = "gms-1";

  private GmsRoles() {}

  /** Whether there is a cluster of processes in this directory. */
  public static boolean exist(Path directory) {
    return Files.exists(ProcessCluster.configOf(directory, FIRST));
  }

  /**
   * Those of a new cluster; one that exists keeps its own.
   *
   * @param nodes 1 or 3
   */
  static List<RoleConfig> of(Path directory, int nodes) throws IOException {
    if (exist(directory)) {
      return known(directory);
    }
    List<GmsPeer> peers = new ArrayList<>();
    int known = OneProcess.is(directory) ? 1 : nodes;
    for (int i = 1; i <= known; i++) {
      peers.add(new GmsPeer(new NodeId("gms-" + i), "127.0.0.1:" + ListenPorts.free()));
    }
    String secret = ClusterSecret.fresh();
    return peers.stream().map(peer -> usual(peer, directory, peers, secret)).toList();
  }

  /**
   * The first one's file names all: that of another may be missing after a first start that ended.
   */
  private static List<RoleConfig> known(Path directory) {
    RoleConfig first = RoleConfig.read(ProcessCluster.configOf(directory, FIRST));
    List<RoleConfig> all = new ArrayList<>();
    for (GmsPeer peer : first.gms()) {
      Path file = ProcessCluster.configOf(directory, peer.id().name());
      all.add(
          Files.exists(file)
              ? RoleConfig.read(file)
              : usual(peer, directory, first.gms(), first.secret()));
    }
    return all;
  }

  private static RoleConfig usual(
      GmsPeer peer, Path directory, List<GmsPeer> peers, String secret) {
    InetSocketAddress listen = RoleConfig.address(peer.address());
    return RoleConfig.usual(peer.id().name(), directory, listen, peers, secret);
  }
}
