package io.alrai.cn.launch;

import io.alrai.cn.config.DnGroup;
import io.alrai.cn.config.RoleConfig;
import io.alrai.cn.config.RoleFile;
import io.alrai.cn.node.NodeConfig;
import io.alrai.common.id.DnId;
import io.alrai.common.id.NodeId;
import io.alrai.common.net.HostPort;
import io.alrai.common.net.ListenPorts;
import io.alrai.common.secret.MemberTls;
import io.alrai.common.secret.Membership;
import io.alrai.dn.raft.GroupMember;
import io.alrai.dn.raft.GroupMember.Keeps;
import io.alrai.gms.api.node.GmsPeer;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * The nodes of a cluster on one machine: {@code node-1} has the CN {@code cn-1} and the DN {@code
 * dn-1}, and so on. With three replicas three nodes have one DN: the members {@code dn-1-a}, {@code
 * dn-1-b} and {@code dn-1-c}, all with rows. The first three have the GMS; the only one, where
 * there are fewer. Stateless.
 */
public final class NodeRoles {
  private static final int MEMBERS = 3;
  private static final int GMS_NODES = 3;
  private static final List<String> LETTERS = List.of("a", "b", "c");

  private NodeRoles() {}

  /** Whether there is a cluster of nodes in this directory. */
  public static boolean exist(Path directory) {
    return Files.exists(file(directory, 1));
  }

  private static Path file(Path directory, int number) {
    return ProcessCluster.configOf(directory, "node-" + number);
  }

  /**
   * Those of a new cluster; one that exists keeps its own.
   *
   * @param nodes how many; a multiple of three with three replicas
   * @param replicas of each DN: 1 or 3
   * @param columnars how many have a column node: the first ones
   */
  static List<NodeConfig> of(Path directory, int nodes, int replicas, int columnars)
      throws IOException {
    return exist(directory) ? known(directory) : fresh(directory, nodes, replicas, columnars);
  }

  private static List<NodeConfig> known(Path directory) {
    List<NodeConfig> known = new ArrayList<>();
    for (int i = 1; Files.exists(file(directory, i)); i++) {
      known.add(NodeConfig.read(file(directory, i), RoleFile.read(file(directory, i))));
    }
    return known;
  }

  private static List<NodeConfig> fresh(Path directory, int nodes, int replicas, int columnars)
      throws IOException {
    List<GmsPeer> gms = new ArrayList<>();
    for (int i = 1; i <= (nodes < GMS_NODES ? 1 : GMS_NODES); i++) {
      gms.add(new GmsPeer(new NodeId("gms-" + i), "127.0.0.1:" + ListenPorts.free()));
    }
    Membership secret = Membership.fresh(MemberTls.OFF);
    List<NodeConfig> fresh = new ArrayList<>();
    List<DnGroup> groups = new ArrayList<>();
    for (int i = 1; i <= nodes; i++) {
      RoleConfig role = RoleConfig.usual("node-" + i, directory, free(), gms, secret);
      String agent = "dn-" + i;
      if (replicas > 1) {
        int place = (i - 1) % MEMBERS;
        if (place == 0) {
          groups.add(group("dn-" + ((i - 1) / MEMBERS + 1)));
        }
        role = role.withGroups(List.of(groups.getLast()));
        agent = groups.getLast().members().get(place).name();
      }
      fresh.add(
          new NodeConfig(
              role,
              "cn-" + i,
              new NodeConfig.Part(agent, free()),
              i <= gms.size() ? Optional.of(gms(gms.get(i - 1))) : Optional.empty(),
              i <= columnars
                  ? Optional.of(new NodeConfig.Part("columnar-" + i, free()))
                  : Optional.empty()));
    }
    return fresh;
  }

  private static NodeConfig.Part gms(GmsPeer peer) {
    return new NodeConfig.Part(peer.id().name(), HostPort.parse(peer.address()).resolved());
  }

  private static DnGroup group(String dn) throws IOException {
    List<GroupMember> members = new ArrayList<>();
    for (String letter : LETTERS) {
      String address = "127.0.0.1:" + ListenPorts.free();
      members.add(new GroupMember(dn + "-" + letter, address, Keeps.ROWS));
    }
    return new DnGroup(new DnId(dn), members, false);
  }

  private static InetSocketAddress free() throws IOException {
    return new InetSocketAddress("127.0.0.1", ListenPorts.free());
  }
}
