package io.alrai.cn.launch;

import io.alrai.cn.config.RoleConfig;
import io.alrai.cn.config.RoleFile;
import io.alrai.common.error.AlraiException;
import io.alrai.common.error.ErrorCode;
import io.alrai.common.file.FileErrors;
import io.alrai.common.id.NodeId;
import io.alrai.common.net.HostPort;
import io.alrai.common.net.ListenPorts;
import io.alrai.common.secret.MemberTls;
import io.alrai.common.secret.Membership;
import io.alrai.common.secret.PrivateFiles;
import io.alrai.gms.api.node.GmsMembers;
import io.alrai.gms.api.node.GmsPeer;
import io.alrai.gms.member.KnownGms;
import io.alrai.gms.server.GmsConfig;
import io.alrai.gms.server.GroupDirectory;
import java.io.File;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Stream;

/**
 * The GMS nodes of a cluster on one machine: {@code gms-1}, and {@code gms-2} and {@code gms-3},
 * and those that were added.
 */
public final class GmsRoles {
  private static final String PREFIX = "gms-";
  private static final String FILES = "gms-\\d+\\.properties";

  private GmsRoles() {}

  /** Whether a node's name is that of one of the GMS. */
  static boolean isGms(String node) {
    return node.startsWith(PREFIX);
  }

  /** Whether there is a cluster of processes in this directory. */
  public static boolean exist(Path directory) {
    return !files(directory).isEmpty();
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
      peers.add(new GmsPeer(new NodeId(PREFIX + i), "127.0.0.1:" + ListenPorts.free()));
    }
    Membership secret = Membership.fresh(MemberTls.OFF);
    return peers.stream().map(peer -> usual(peer, directory, peers, secret)).toList();
  }

  /** The configurations that are there, by number; also of nodes that were dropped. */
  static List<RoleConfig> files(Path directory) {
    Path configs = directory.resolve("etc");
    if (!Files.isDirectory(configs)) {
      return List.of();
    }
    try (Stream<Path> files = Files.list(configs)) {
      return files
          .filter(file -> String.valueOf(file.getFileName()).matches(FILES))
          .sorted(
              Comparator.comparing(
                  file -> Long.parseLong(String.valueOf(file.getFileName()).replaceAll("\\D", ""))))
          .map(RoleFile::read)
          .toList();
    } catch (IOException e) {
      throw new AlraiException(
          ErrorCode.ALRAI_NODE_UNAVAILABLE, configs + " cannot be read: " + FileErrors.text(e), e);
    }
  }

  /**
   * All that were not dropped. While no node has said who they are, the first one's file names all:
   * that of another may be missing after a first start that ended.
   */
  private static List<RoleConfig> known(Path directory) {
    List<RoleConfig> files = files(directory);
    GmsMembers newest = newest(files);
    List<RoleConfig> all = new ArrayList<>();
    for (RoleConfig file : files) {
      if (!isDropped(file)) {
        all.add(file.withGms(newest.peers()));
      }
    }
    for (GmsPeer peer : newest.term() == 0 ? newest.peers() : List.<GmsPeer>of()) {
      if (files.stream().noneMatch(file -> file.node().equals(peer.id().name()))) {
        all.add(usual(peer, directory, newest.peers(), files.getFirst().secret()));
      }
    }
    if (all.isEmpty()) {
      throw wrong("all nodes of the GMS in " + directory + " were dropped");
    }
    return all;
  }

  /** Whether a node has heard that the others go on without it. */
  static boolean isDropped(RoleConfig role) {
    return directory(role).isDropped();
  }

  private static GroupDirectory directory(RoleConfig role) {
    return new GroupDirectory(GmsConfig.DEFAULT_CLUSTER, role.data().resolve(role.node()));
  }

  /** The nodes by what they have heard last, else by what they begin with. */
  static GmsMembers newest(List<RoleConfig> files) {
    GmsMembers newest = GmsMembers.configured(files.getFirst().gms());
    for (Path file : heard(files)) {
      GmsMembers said = KnownGms.read(file).orElse(newest);
      if (said.isAfter(newest)) {
        newest = said;
      }
    }
    return newest;
  }

  /** What they have written down, that which is the oldest first. */
  private static List<Path> heard(List<RoleConfig> files) {
    return files.stream()
        .filter(file -> !isDropped(file))
        .map(file -> directory(file).members().toFile())
        .sorted(Comparator.comparingLong(File::lastModified))
        .map(File::toPath)
        .toList();
  }

  /** A role of the GMS, with the nodes that are known. */
  static RoleConfig any(Path directory) {
    List<RoleConfig> files = files(directory);
    if (files.isEmpty()) {
      throw wrong(directory + " has no cluster of processes: ./alrai up --processes makes one");
    }
    return files.getFirst().withGms(newest(files).peers());
  }

  /**
   * Makes the configuration of a node that waits to join the GMS.
   *
   * @return its address
   * @throws AlraiException why it cannot be
   */
  public static String add(Path directory, String node) throws IOException {
    Path config = ProcessCluster.configOf(directory, node);
    RoleConfig cluster = any(directory);
    if (!node.matches("gms-\\d{1,9}")) {
      throw wrong("a node of the GMS is named gms-N, not " + node);
    }
    if (Files.exists(config) || Files.exists(directory.resolve(node))) {
      throw wrong(
          node + " is taken: " + config + " or " + directory.resolve(node) + " is there already");
    }
    String address = "127.0.0.1:" + ListenPorts.free();
    PrivateFiles.write(
        config,
        RoleConfig.usual(
                node,
                directory,
                HostPort.parse(address).resolved(),
                cluster.gms(),
                cluster.secret())
            .text());
    return address;
  }

  /**
   * Forgets a node that the GMS does without: its process is ended, its data stays.
   *
   * @throws AlraiException while it is one
   */
  static void remove(Path directory, String node) throws IOException {
    List<RoleConfig> files = files(directory);
    if (files.stream().noneMatch(file -> file.node().equals(node))) {
      throw wrong("there is no " + ProcessCluster.configOf(directory, node));
    }
    GmsMembers newest = newest(files);
    if (newest.peers().stream().anyMatch(peer -> peer.id().name().equals(node))) {
      throw wrong(
          node
              + " is a node of the GMS, which is "
              + newest.peers()
              + ": ALTER SYSTEM DROP GMS first; the others write down that it is gone within some"
              + " seconds");
    }
    Files.delete(ProcessCluster.configOf(directory, node));
  }

  private static RoleConfig usual(
      GmsPeer peer, Path directory, List<GmsPeer> peers, Membership secret) {
    InetSocketAddress listen = HostPort.parse(peer.address()).resolved();
    return RoleConfig.usual(peer.id().name(), directory, listen, peers, secret);
  }

  private static AlraiException wrong(String sentence) {
    return new AlraiException(ErrorCode.ER_WRONG_VALUE_FOR_VAR, sentence);
  }
}
