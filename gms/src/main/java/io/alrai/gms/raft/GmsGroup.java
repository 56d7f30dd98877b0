package io.alrai.gms.raft;

import io.alrai.common.id.NodeId;
import io.alrai.gms.api.node.GmsPeer;
import io.alrai.raft.GroupIds;
import java.util.List;
import java.util.OptionalLong;
import java.util.UUID;
import org.apache.ratis.protocol.RaftGroup;
import org.apache.ratis.protocol.RaftGroupId;
import org.apache.ratis.protocol.RaftPeer;
import org.apache.ratis.protocol.RaftPeerId;

/**
 * The Raft group of a cluster: its id follows from the cluster's name and the generation, and tells
 * the generation to whoever knows the name.
 */
public final class GmsGroup {
  private GmsGroup() {}

  /** The ids of a cluster's group. */
  public static GroupIds ids(String cluster) {
    return new GroupIds("alrai-gms:" + cluster);
  }

  /** The group's id. */
  public static RaftGroupId id(String cluster, long generation) {
    return ids(cluster).of(generation);
  }

  /** The generation of a group of that cluster; empty for another group. */
  public static OptionalLong generation(String cluster, UUID id) {
    return ids(cluster).generation(id);
  }

  /** The group with its nodes. */
  public static RaftGroup of(String cluster, long generation, List<GmsPeer> peers) {
    return RaftGroup.valueOf(id(cluster, generation), peers.stream().map(GmsGroup::peer).toList());
  }

  /** As Ratis knows a node. */
  public static RaftPeer peer(GmsPeer peer) {
    return RaftPeer.newBuilder()
        .setId(RaftPeerId.valueOf(peer.id().name()))
        .setAddress(peer.address())
        .build();
  }

  /** A node that Ratis knows. */
  public static GmsPeer peer(RaftPeer peer) {
    return new GmsPeer(new NodeId(peer.getId().toString()), peer.getAddress());
  }
}
