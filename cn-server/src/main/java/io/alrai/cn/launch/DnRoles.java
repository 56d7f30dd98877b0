package io.alrai.cn.launch;

import io.alrai.cn.config.DnGroup;
import io.alrai.cn.config.RoleConfig;
import io.alrai.common.id.DnId;
import io.alrai.common.net.ListenPorts;
import io.alrai.dn.raft.GroupMember;
import io.alrai.dn.raft.GroupMember.Keeps;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * The roles of a cluster's DNs on one machine. A DN of one replica is the agent {@code dn-1}; one
 * of three is a group: the agents {@code dn-1-a} and {@code dn-1-b}, each with a mysqld, and the
 * logger {@code logger-1}, one process for all groups.
 *
 * @param agents those with a mysqld, DN by DN
 * @param loggers those with logs alone
 * @param joined DNs that have members with rows that came later
 */
record DnRoles(List<RoleConfig> agents, List<RoleConfig> loggers, List<DnId> joined) {
  private static final String LOGGER = "logger-1";
  private static final List<String> LETTERS = List.of("a", "b");

  DnRoles {
    agents = List.copyOf(agents);
    loggers = List.copyOf(loggers);
    joined = List.copyOf(joined);
  }

  /**
   * Those of a new cluster; one that exists keeps its own.
   *
   * @param replicas of each DN: 1 or 3
   */
  static DnRoles of(Path directory, RoleConfig gms, int dns, int replicas) throws IOException {
    Optional<DnRoles> known = known(directory);
    if (known.isPresent()) {
      return known.get();
    }
    int there = OneProcess.dns(directory);
    return there > 0
        ? fresh(directory, gms, there, there)
        : fresh(directory, gms, dns, replicas == 1 ? dns : 0);
  }

  /** Those of a new cluster whose last DN is a group. */
  static DnRoles ofBothKinds(Path directory, RoleConfig gms, int dns) throws IOException {
    return fresh(directory, gms, dns, dns - 1);
  }

  /**
   * New ones.
   *
   * @param alone how many of the DNs have one replica: the first ones
   */
  private static DnRoles fresh(Path directory, RoleConfig gms, int dns, int alone)
      throws IOException {
    List<RoleConfig> agents = new ArrayList<>();
    List<DnGroup> groups = new ArrayList<>();
    for (int i = 1; i <= dns; i++) {
      String dn = "dn-" + i;
      if (i <= alone) {
        agents.add(fresh(directory, gms, dn));
        continue;
      }
      DnGroup group = group(dn);
      groups.add(group);
      for (String letter : LETTERS) {
        agents.add(fresh(directory, gms, dn + "-" + letter).withGroups(List.of(group)));
      }
    }
    return new DnRoles(
        agents,
        groups.isEmpty() ? List.of() : List.of(fresh(directory, gms, LOGGER).withGroups(groups)),
        List.of());
  }

  /** Empty for a new cluster. Whoever was dropped from its group is not started any more. */
  private static Optional<DnRoles> known(Path directory) throws IOException {
    List<RoleConfig> all = MemberRoles.all(directory);
    if (all.stream().allMatch(MemberRoles::isLogger)) {
      return Optional.empty();
    }
    List<RoleConfig> founders =
        all.stream().filter(role -> !MemberRoles.joins(role) && !role.isDropped()).toList();
    return Optional.of(
        new DnRoles(
            founders.stream().filter(role -> !MemberRoles.isLogger(role)).toList(),
            founders.stream().filter(MemberRoles::isLogger).toList(),
            all.stream()
                .filter(MemberRoles::joins)
                .filter(role -> !MemberRoles.isLogger(role) && role.hasLog() && !role.isDropped())
                .flatMap(role -> role.groups().stream())
                .map(DnGroup::dn)
                .toList()));
  }

  /**
   * How many of a DN's agents have to start: none where others have joined its group since. One
   * that is in no group has founded it if it has lost its directory; else it is the only replica,
   * and others wait to join.
   */
  int enough(List<String> ofOneDn) {
    boolean others =
        agents.stream()
            .filter(agent -> ofOneDn.contains(agent.node()))
            .filter(agent ->
                !agent.groups().isEmpty() || Files.notExists(agent.data().resolve(agent.node())))
            .anyMatch(agent -> joined.contains(dn(agent)));
    return others ? 0 : 1;
  }

  /** The names of the agents of each DN, in their order. */
  static List<List<String>> byDn(List<RoleConfig> agents) {
    Map<String, List<String>> dns = new LinkedHashMap<>();
    for (RoleConfig agent : agents) {
      dns.computeIfAbsent(dn(agent).name(), name -> new ArrayList<>()).add(agent.node());
    }
    return List.copyOf(dns.values());
  }

  /** Whoever has lost what it says of its group has the DN's name: it has founded it. */
  private static DnId dn(RoleConfig agent) {
    return agent.groups().stream()
        .map(DnGroup::dn)
        .findFirst()
        .orElseGet(() -> new DnId(agent.node()));
  }

  private static DnGroup group(String dn) throws IOException {
    List<GroupMember> members = new ArrayList<>();
    for (String letter : LETTERS) {
      members.add(member(dn + "-" + letter, Keeps.ROWS));
    }
    members.add(member(LOGGER, Keeps.LOG));
    return new DnGroup(new DnId(dn), members, false);
  }

  private static GroupMember member(String name, Keeps keeps) throws IOException {
    return new GroupMember(name, "127.0.0.1:" + ListenPorts.free(), keeps);
  }

  private static RoleConfig fresh(Path directory, RoleConfig gms, String node) throws IOException {
    InetSocketAddress free = new InetSocketAddress("127.0.0.1", ListenPorts.free());
    return RoleConfig.usual(node, directory, free, gms.gms(), gms.secret());
  }
}
