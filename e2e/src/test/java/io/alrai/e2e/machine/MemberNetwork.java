package io.alrai.e2e.machine;

import io.alrai.cn.config.DnGroup;
import io.alrai.cn.config.RoleConfig;
import io.alrai.common.id.DnId;
import io.alrai.common.id.NodeId;
import io.alrai.common.secret.MemberTls;
import io.alrai.common.secret.Membership;
import io.alrai.common.secret.PrivateFiles;
import io.alrai.dn.raft.GroupMember;
import io.alrai.dn.raft.GroupMember.Keeps;
import io.alrai.gms.api.node.GmsPeer;
import io.alrai.testing.ClusterProcess;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * A network for a cluster of groups: each of its processes but {@code up} and the CNs is in a
 * network namespace of its own, with an address of its own, and all packets between them go through
 * this process, which may drop or delay them. CNs are where the test is: host 1. Processes get
 * there by a {@code java} that enters the namespace named as the role whose file it is started
 * with. One thread.
 */
public final class MemberNetwork implements ClusterProcess.Preparation, AutoCloseable {
  private static final int CN = 1;
  private static final int MTU = 16_000;
  private static final int PORT = 7_000;
  private static final String GMS = "gms-1";

  private final int number = (int) (ProcessHandle.current().pid() % 50_000);
  private final String prefix = "alrai" + number + "-";
  private final String addresses = "10." + (50 + number / 250) + "." + number % 250 + ".";
  private final PacketSwitch packets = new PacketSwitch();
  private final Map<String, Integer> hosts = new TreeMap<>();
  private final int dns;
  private Path directory = Path.of("");
  private Optional<RoleConfig> gms = Optional.empty();

  private MemberNetwork(int dns) {
    this.dns = dns;
  }

  /** The network of a new cluster with so many groups; empty where nobody may have one. */
  public static Optional<MemberNetwork> open(int dns) {
    MemberNetwork network = new MemberNetwork(dns);
    try {
      network.joinHere();
      return Optional.of(network);
    } catch (IOException | UnsatisfiedLinkError e) {
      System.out.println("no network that can be cut: " + e.getMessage());
      network.close();
      return Optional.empty();
    }
  }

  private void joinHere() throws IOException {
    String device = device(CN);
    TunnelDevice tunnel = TunnelDevice.open(device);
    hosts.put("cn-1", CN);
    HostCommand.run("ip", "addr", "add", addresses + CN + "/24", "dev", device);
    HostCommand.run("ip", "link", "set", "dev", device, "mtu", "" + MTU, "up");
    packets.add(CN, tunnel); // one that is down cannot be read
  }

  private String device(int host) {
    return "al" + number + "x" + host;
  }

  /** Gives a role a namespace of its own. */
  private void join(String role) throws IOException {
    int host = hosts.size() + 1;
    hosts.put(role, host);
    String space = prefix + role;
    String device = device(host);
    TunnelDevice tunnel = TunnelDevice.open(device);
    HostCommand.run("ip", "netns", "add", space);
    HostCommand.run("ip", "link", "set", "dev", device, "netns", space);
    HostCommand.run("ip", "-n", space, "link", "set", "dev", "lo", "up");
    HostCommand.run("ip", "-n", space, "addr", "add", addresses + host + "/24", "dev", device);
    HostCommand.run("ip", "-n", space, "link", "set", "dev", device, "mtu", "" + MTU, "up");
    packets.add(host, tunnel);
  }

  /** Writes the files of all roles but the CNs', and the java that starts them. */
  @Override
  public List<String> prepare(Path into) throws IOException {
    directory = into;
    join(GMS);
    Membership secret = Membership.fresh(MemberTls.OFF);
    List<String> members = new ArrayList<>();
    for (int dn = 1; dn <= dns; dn++) {
      members.add("dn-" + dn + "-a");
      members.add("dn-" + dn + "-b");
    }
    members.add("logger-1");
    for (String member : members) {
      join(member);
    }
    PrivateFiles.directory(into.resolve("etc"));
    List<GmsPeer> peers = List.of(new GmsPeer(new NodeId(GMS), addresses + host(GMS) + ":" + PORT));
    RoleConfig first = role(GMS, peers, secret);
    gms = Optional.of(first);
    write(first);
    List<DnGroup> groups = new ArrayList<>();
    for (int dn = 1; dn <= dns; dn++) {
      groups.add(
          new DnGroup(
              new DnId("dn-" + dn),
              List.of(
                  member(dn, "dn-" + dn + "-a", Keeps.ROWS),
                  member(dn, "dn-" + dn + "-b", Keeps.ROWS),
                  member(dn, "logger-1", Keeps.LOG)),
              false));
    }
    for (String member : members) {
      write(
          role(member, peers, secret)
              .withGroups(
                  groups.stream()
                      .filter(group ->
                          group.members().stream().anyMatch(one -> one.name().equals(member)))
                      .toList()));
    }
    return List.of("-Djava.home=" + javaThatEnters(into));
  }

  private RoleConfig role(String name, List<GmsPeer> peers, Membership secret) {
    InetSocketAddress listen =
        InetSocketAddress.createUnresolved(addresses + hosts.getOrDefault(name, CN), PORT);
    return RoleConfig.usual(name, directory, listen, peers, secret);
  }

  private GroupMember member(int dn, String name, Keeps keeps) {
    return new GroupMember(name, addresses + host(name) + ":" + (PORT + dn), keeps);
  }

  private void write(RoleConfig role) throws IOException {
    PrivateFiles.write(directory.resolve("etc").resolve(role.node() + ".properties"), role.text());
  }

  /**
   * Makes a member that can be added to a group: {@code up} starts it.
   *
   * @param keeps rows or the log alone
   */
  public void addMember(int dn, String name, Keeps keeps) throws IOException {
    RoleConfig cluster = gms.orElseThrow();
    join(name);
    write(
        role(name, cluster.gms(), cluster.secret())
            .withGroups(List.of(DnGroup.joining(new DnId("dn-" + dn), member(dn, name, keeps)))));
  }

  /** A copy of this JDK by links, but for its java. */
  private Path javaThatEnters(Path into) throws IOException {
    Path real = Path.of(System.getProperty("java.home"));
    Path home = into.resolve("jdk");
    Files.createDirectories(home.resolve("bin"));
    try (Stream<Path> inside = Files.list(real)) {
      for (Path path : inside.filter(one -> !one.endsWith("bin")).toList()) {
        Files.createSymbolicLink(home.resolve(path.getFileName()), path);
      }
    }
    Path java = home.resolve("bin").resolve("java");
    Files.writeString(
        java,
        """
        #!/bin/sh
        for word; do
          case $word in
            */etc/*.properties) role=${word##*/}; role=${role%%.properties} ;;
          esac
        done
        if [ -e "/run/netns/%1$s$role" ]; then
          exec nsenter "--net=/run/netns/%1$s$role" "%2$s" "$@"
        fi
        exec "%2$s" "$@"
        """
            .formatted(prefix, real.resolve("bin").resolve("java")));
    Files.setPosixFilePermissions(java, PosixFilePermissions.fromString("rwx------"));
    return home;
  }

  /** Nothing goes between those and the others any more, in neither direction. */
  public void cut(List<String> some) {
    Set<Integer> those = hosts(some);
    Set<Integer> others = new HashSet<>(hosts.values());
    others.removeAll(those);
    packets.cut(PacketSwitch.between(those, others));
  }

  /** Nothing goes from some to others any more; the way back is open. */
  public void cutOneWay(List<String> from, List<String> to) {
    Set<PacketSwitch.Way> ways = new HashSet<>();
    for (int one : hosts(from)) {
      for (int other : hosts(to)) {
        ways.add(new PacketSwitch.Way(one, other));
      }
    }
    packets.cut(ways);
  }

  /** Nothing goes between some and others any more, in neither direction. */
  public void cutBetween(List<String> some, List<String> others) {
    packets.cut(PacketSwitch.between(hosts(some), hosts(others)));
  }

  /** Nothing goes from each to the next one any more, and from the last to the first. */
  public void cutRing(List<String> roles) {
    Set<PacketSwitch.Way> ways = new HashSet<>();
    for (int i = 0; i < roles.size(); i++) {
      ways.add(new PacketSwitch.Way(host(roles.get(i)), host(roles.get((i + 1) % roles.size()))));
    }
    packets.cut(ways);
  }

  /** All ways take so long, those of the CN, too. */
  public void delay(long millis) {
    delayAmong(hosts.keySet(), millis);
  }

  /** Packets between these take so long, in each direction. */
  public void delayAmong(Collection<String> roles, long millis) {
    Map<PacketSwitch.Way, Long> ways = new HashMap<>();
    for (int one : hosts(roles)) {
      for (int other : hosts(roles)) {
        ways.put(new PacketSwitch.Way(one, other), millis);
      }
    }
    packets.delay(ways);
  }

  /** All is as it was. */
  public void heal() {
    packets.cut(Set.of());
    packets.delay(Map.of());
  }

  /** All roles that have an address. */
  public Set<String> roles() {
    return Set.copyOf(hosts.keySet());
  }

  /** What went through it. */
  public String text() {
    return packets.carried() + " packets carried, " + packets.dropped() + " dropped";
  }

  private Set<Integer> hosts(Collection<String> roles) {
    return roles.stream().map(this::host).collect(Collectors.toSet());
  }

  private int host(String role) {
    return Optional.ofNullable(hosts.get(role)).orElseThrow();
  }

  /** Takes all namespaces away; the cluster has ended. */
  @Override
  public void close() {
    try {
      for (Map.Entry<String, Integer> host : hosts.entrySet()) {
        if (host.getValue() == CN) {
          HostCommand.run("ip", "link", "del", "dev", device(CN));
        } else {
          HostCommand.run("ip", "netns", "del", prefix + host.getKey());
        }
      }
      packets.close();
    } catch (IOException e) {
      System.out.println("left behind: " + e.getMessage());
    }
  }
}
