package io.alrai.dn.raft;

import java.util.Collection;
import java.util.List;
import org.apache.ratis.proto.RaftProtos.RaftPeerRole;
import org.apache.ratis.protocol.RaftPeer;
import org.apache.ratis.protocol.RaftPeerId;
import org.apache.ratis.server.RaftConfiguration;
import org.jspecify.annotations.Nullable;

/** What a voter knows of its group, as Ratis says it. */
record KnownGroup(Collection<RaftPeer> now, long at) implements RaftConfiguration {
  @Override
  public @Nullable RaftPeer getPeer(RaftPeerId id, RaftPeerRole... roles) {
    return now.stream().filter(peer -> peer.getId().equals(id)).findFirst().orElse(null);
  }

  @Override
  public Collection<RaftPeer> getAllPeers(RaftPeerRole role) {
    return now;
  }

  @Override
  public Collection<RaftPeer> getCurrentPeers(RaftPeerRole role) {
    return now;
  }

  @Override
  public Collection<RaftPeer> getPreviousPeers(RaftPeerRole role) {
    return List.of();
  }

  @Override
  public long getLogEntryIndex() {
    return at;
  }
}
