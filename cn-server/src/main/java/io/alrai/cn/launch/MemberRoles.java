package io.alrai.cn.launch;

import io.alrai.cn.config.DnGroup;
import io.alrai.cn.config.RoleConfig;
import io.alrai.cn.config.RoleFile;
import io.alrai.common.error.AlraiException;
import io.alrai.common.error.ErrorCode;
import io.alrai.common.id.DnId;
import io.alrai.common.net.ListenPorts;
import io.alrai.common.secret.PrivateFiles;
import io.alrai.dn.raft.GroupMember;
import io.alrai.dn.raft.GroupMember.Keeps;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Stream;

/**
 * The configurations of DNs, of members of their groups and of their learners in {@code DIR/etc}.
 * Names say what a member keeps: {@code logger-2} the log alone, {@code dn-1-c} rows, too.
 */
public final class MemberRoles {
  private static final String SUFFIX = ".properties";
  private static final String LOGGER = "logger-";
  private static final String DN = "dn-";

  private MemberRoles() {}

  /** All of them, by the number of their DN and by name. */
  static List<RoleConfig> all(Path directory) throws IOException {
    Path configs = directory.resolve("etc");
    if (!Files.isDirectory(configs)) {
      return List.of();
    }
    List<String> names = new ArrayList<>();
    try (Stream<Path> files = Files.list(configs)) {
      files
          .map(file -> String.valueOf(file.getFileName()))
          .filter(name -> name.endsWith(SUFFIX))
          .map(name -> name.substring(0, name.length() - SUFFIX.length()))
          .filter(name -> name.startsWith(DN) || name.startsWith(LOGGER))
          .sorted(
              Comparator.<String>comparingInt(
                      name -> Integer.parseInt("0" + name.replaceAll("^\\D*(\\d*).*", "$1")))
                  .thenComparing(Comparator.naturalOrder()))
          .forEach(names::add);
    }
    return names.stream()
        .map(name -> RoleFile.read(ProcessCluster.configOf(directory, name)))
        .toList();
  }

  static boolean isLogger(RoleConfig role) {
    return role.node().startsWith(LOGGER);
  }

  /** Whether it joins groups that were there before. */
  static boolean joins(RoleConfig role) {
    return role.groups().stream().anyMatch(DnGroup::joins);
  }

  /**
   * Makes the configuration of a member that will join groups; its process is started by {@code
   * up}, at once where that runs.
   *
   * @param node {@code logger-N}, or the DN's name and a letter
   * @param learns whether it will have no vote
   * @throws AlraiException why it cannot be
   */
  public static void add(Path directory, String node, List<DnId> dns, boolean learns)
      throws IOException {
    Path config = ProcessCluster.configOf(directory, node);
    boolean logger = node.startsWith(LOGGER);
    RoleConfig cluster = GmsRoles.any(directory);
    if (Files.exists(config) || Files.exists(directory.resolve(node))) {
      throw wrong(
          node + " is taken: " + config + " or " + directory.resolve(node) + " is there already");
    }
    if (!logger && (dns.size() != 1 || !node.startsWith(dns.getFirst().name() + "-"))) {
      throw wrong(
          "a member is named logger-N, or as the one DN that it joins and a letter, as dn-1-c; not "
              + node);
    }
    if (logger && learns) {
      throw wrong(node + " would keep logs alone, and a learner has rows: name it as dn-1-r");
    }
    List<DnGroup> groups = new ArrayList<>();
    for (DnId dn : dns) {
      groups.add(
          learns
              ? DnGroup.learning(dn)
              : DnGroup.joining(
                  dn,
                  new GroupMember(
                      node, "127.0.0.1:" + ListenPorts.free(), logger ? Keeps.LOG : Keeps.ROWS)));
    }
    InetSocketAddress listen = new InetSocketAddress("127.0.0.1", ListenPorts.free());
    PrivateFiles.write(
        config,
        RoleConfig.usual(node, directory, listen, cluster.gms(), cluster.secret())
            .withGroups(groups)
            .text());
  }

  /**
   * Forgets a member that was added, or dropped from its group, or that has lost its log, or a node
   * that the GMS does without: its process is ended, its data stays.
   *
   * @throws AlraiException where it is neither
   */
  public static void remove(Path directory, String node) throws IOException {
    if (GmsRoles.isGms(node)) {
      GmsRoles.remove(directory, node);
      return;
    }
    Path config = ProcessCluster.configOf(directory, node);
    RoleConfig role = RoleFile.read(config);
    if (!joins(role) && !role.isDropped() && !role.hasLostItsLog()) {
      throw wrong(
          node
              + " is a member that its group began with, and was not dropped: ALTER SYSTEM DROP"
              + " NODE first");
    }
    Files.delete(config);
  }

  private static AlraiException wrong(String sentence) {
    return new AlraiException(ErrorCode.ER_WRONG_VALUE_FOR_VAR, sentence);
  }
}
