package io.alrai.dn.raft;

import io.alrai.common.secret.ClusterSecret;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import org.apache.ratis.protocol.RaftGroup;
import org.apache.ratis.protocol.RaftGroupId;
import org.apache.ratis.protocol.RaftPeer;
import org.apache.ratis.protocol.RaftPeerId;

/**
 * How a member takes part in its group.
 *
 * @param group unique in the world: the cluster's name and the DN's
 * @param name of this member
 * @param members all voters, this one too
 * @param directory of its log; nobody else's
 * @param secret of the cluster; without one anybody may speak to it
 * @param electionMin a leader that has not been heard of for so long is taken for dead
 * @param electionMax how long the most patient member waits
 * @param bounds of its log on disk
 */
public record GroupConfig(
    String group,
    String name,
    List<GroupMember> members,
    Path directory,
    Optional<ClusterSecret> secret,
    Duration electionMin,
    Duration electionMax,
    LogBounds bounds) {
  public GroupConfig {
    members = List.copyOf(members);
    if (electionMin.compareTo(electionMax) >= 0) {
      throw new IllegalArgumentException(electionMin + " is not below " + electionMax);
    }
  }

  GroupMember own() {
    return members.stream()
        .filter(member -> member.name().equals(name))
        .findFirst()
        .orElseThrow(() -> new IllegalArgumentException(name + " is no member of " + members));
  }

  RaftGroupId id() {
    byte[] text = ("alrai-dn:" + group).getBytes(StandardCharsets.UTF_8);
    return RaftGroupId.valueOf(UUID.nameUUIDFromBytes(text));
  }

  RaftPeerId self() {
    return RaftPeerId.valueOf(name);
  }

  RaftGroup peers() {
    return RaftGroup.valueOf(
        id(),
        members.stream()
            .map(member ->
                RaftPeer.newBuilder().setId(member.name()).setAddress(member.address()).build())
            .toList());
  }
}
