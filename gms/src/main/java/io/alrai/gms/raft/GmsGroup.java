package io.alrai.gms.raft;

import io.alrai.gms.api.GmsPeer;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.UUID;
import org.apache.ratis.protocol.RaftGroup;
import org.apache.ratis.protocol.RaftGroupId;
import org.apache.ratis.protocol.RaftPeer;
import org.apache.ratis.protocol.RaftPeerId;

/** The Raft group of a cluster: its id follows from the cluster's name alone. */
public final class GmsGroup {
  private GmsGroup() {}

  /** The group's id. */
  public static RaftGroupId id(String cluster) {
    byte[] name = ("alrai-gms:" + cluster).getBytes(StandardCharsets.UTF_8);
    return RaftGroupId.valueOf(UUID.nameUUIDFromBytes(name));
  }

  /** The group with its nodes. */
  public static RaftGroup of(String cluster, List<GmsPeer> peers) {
    return RaftGroup.valueOf(id(cluster), peers.stream().map(GmsGroup::peer).toList());
  }

  private static RaftPeer peer(GmsPeer peer) {
    return RaftPeer.newBuilder()
        .setId(RaftPeerId.valueOf(peer.id().name()))
        .setAddress(peer.address())
        .build();
  }
}
