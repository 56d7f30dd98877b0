package io.alrai.gms.server;

import io.alrai.common.id.NodeId;
import io.alrai.common.secret.ClusterSecret;
import io.alrai.gms.api.node.GmsPeer;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;

/**
 * What a GMS node needs to know to start.
 *
 * @param cluster the cluster's name; nodes of different names never mix
 * @param node which of the peers this one is
 * @param peers all nodes of the group: one or three, the same list on every node
 * @param dataDir where log and snapshots live; of this node alone
 * @param snapshotEvery after how many log entries a snapshot is taken and the log shortened
 * @param secret what callers and other nodes have to know; a node without a port needs none
 * @param joins whether the group is there without this node, which waits until it is added
 */
public record GmsConfig(
    String cluster,
    NodeId node,
    List<GmsPeer> peers,
    Path dataDir,
    long snapshotEvery,
    Optional<ClusterSecret> secret,
    boolean joins) {
  /** The cluster's name where none is given. */
  public static final String DEFAULT_CLUSTER = "alrai";

  /** Entries between snapshots where nothing is said: a few megabytes of log. */
  public static final long DEFAULT_SNAPSHOT_EVERY = 5000;

  /**
   * Checks the peers.
   *
   * @throws IllegalArgumentException when the node is not among them, several have no address, or
   *     one has an address and there is no secret
   */
  public GmsConfig {
    peers = List.copyOf(peers);
    NodeId self = node;
    if (peers.stream().filter(peer -> peer.id().equals(self)).count() != 1) {
      throw new IllegalArgumentException("node " + node + " must be one of the peers " + peers);
    }
    if (peers.size() > 1 && peers.stream().anyMatch(peer -> peer.address().isEmpty())) {
      throw new IllegalArgumentException("every one of several peers needs an address: " + peers);
    }
    if (secret.isEmpty() && peers.stream().anyMatch(peer -> !peer.address().isEmpty())) {
      throw new IllegalArgumentException("a node with an address needs the cluster's secret");
    }
    if (snapshotEvery < 1) {
      throw new IllegalArgumentException("snapshotEvery must be 1 or more: " + snapshotEvery);
    }
  }

  /** A node that the group begins with. */
  public GmsConfig(
      String cluster,
      NodeId node,
      List<GmsPeer> peers,
      Path dataDir,
      long snapshotEvery,
      Optional<ClusterSecret> secret) {
    this(cluster, node, peers, dataDir, snapshotEvery, secret, false);
  }

  /** A node of a group of the default name, which has no part in it before it is added. */
  public static GmsConfig joining(
      NodeId node, List<GmsPeer> peers, Path dataDir, ClusterSecret secret) {
    return new GmsConfig(
        DEFAULT_CLUSTER, node, peers, dataDir, DEFAULT_SNAPSHOT_EVERY, Optional.of(secret), true);
  }

  /** The one node of a cluster in one process, without a port. */
  public static GmsConfig embedded(Path dataDir) {
    NodeId node = new NodeId("gms-1");
    return new GmsConfig(
        DEFAULT_CLUSTER,
        node,
        List.of(new GmsPeer(node, "")),
        dataDir,
        DEFAULT_SNAPSHOT_EVERY,
        Optional.empty());
  }

  /** A node of a group of the default name. */
  public static GmsConfig of(NodeId node, List<GmsPeer> peers, Path dataDir, ClusterSecret secret) {
    return new GmsConfig(
        DEFAULT_CLUSTER, node, peers, dataDir, DEFAULT_SNAPSHOT_EVERY, Optional.of(secret));
  }

  /** This node's address; empty when it has no port. */
  String address() {
    return peers.stream()
        .filter(peer -> peer.id().equals(node))
        .map(GmsPeer::address)
        .findFirst()
        .orElse("");
  }

  /** All but this one. */
  List<GmsPeer> others() {
    return peers.stream().filter(peer -> !peer.id().equals(node)).toList();
  }

  /** The nodes of a group that is new. */
  List<GmsPeer> founders() {
    return joins ? List.of() : peers;
  }

  /** Whether the node is alone in the group. */
  boolean alone() {
    return peers.size() == 1;
  }
}
