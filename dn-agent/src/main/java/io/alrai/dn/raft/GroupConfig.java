package io.alrai.dn.raft;

import io.alrai.common.secret.ClusterSecret;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.function.LongSupplier;
import org.apache.ratis.protocol.RaftGroup;
import org.apache.ratis.protocol.RaftGroupId;
import org.apache.ratis.protocol.RaftPeerId;

/**
 * How a member takes part in its group.
 *
 * @param group unique in the world: the cluster's name and the DN's
 * @param own this member
 * @param founders the voters of a group that is new, this one too; nobody for one that joins a
 *     group later: it waits until it is added. Where there is a log, that says who votes
 * @param directory of its log; nobody else's
 * @param secret of the cluster; without one anybody may speak to it
 * @param electionMin a leader that has not been heard of for so long is taken for dead
 * @param electionMax how long the most patient member waits
 * @param bounds of its log on disk
 */
public record GroupConfig(
    String group,
    GroupMember own,
    List<GroupMember> founders,
    Path directory,
    Optional<ClusterSecret> secret,
    Duration electionMin,
    Duration electionMax,
    LogBounds bounds) {
  public GroupConfig {
    founders = List.copyOf(founders);
    if (!founders.isEmpty() && !founders.contains(own)) {
      throw new IllegalArgumentException(own + " is none of " + founders);
    }
    if (electionMin.compareTo(electionMax) >= 0) {
      throw new IllegalArgumentException(electionMin + " is not below " + electionMax);
    }
  }

  /** A copy whose log keeps so many bytes for members that are away, asked at each look. */
  public GroupConfig retaining(LongSupplier bytes) {
    return new GroupConfig(
        group, own, founders, directory, secret, electionMin, electionMax, bounds.retaining(bytes));
  }

  /** Of this member. */
  public String name() {
    return own.name();
  }

  RaftGroupId id() {
    byte[] text = ("alrai-dn:" + group).getBytes(StandardCharsets.UTF_8);
    return RaftGroupId.valueOf(UUID.nameUUIDFromBytes(text));
  }

  RaftPeerId self() {
    return RaftPeerId.valueOf(name());
  }

  RaftGroup founding() {
    return RaftGroup.valueOf(id(), founders.stream().map(Membership::peer).toList());
  }
}
