package io.alrai.dn.raft;

import io.alrai.common.secret.ClusterSecret;
import io.alrai.raft.GenerationLogs;
import io.alrai.raft.GroupIds;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
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
 * @param generation in which a log begins that is new; 0 for a group that was never made anew by
 *     force. Where there is a log, that says it
 */
public record GroupConfig(
    String group,
    GroupMember own,
    List<GroupMember> founders,
    Path directory,
    Optional<ClusterSecret> secret,
    Duration electionMin,
    Duration electionMax,
    LogBounds bounds,
    long generation) {
  public GroupConfig {
    founders = List.copyOf(founders);
    if (!founders.isEmpty() && !founders.contains(own)) {
      throw new IllegalArgumentException(own + " is none of " + founders);
    }
    if (electionMin.compareTo(electionMax) >= 0) {
      throw new IllegalArgumentException(electionMin + " is not below " + electionMax);
    }
  }

  /** One of a group of the first generation. */
  public GroupConfig(
      String group,
      GroupMember own,
      List<GroupMember> founders,
      Path directory,
      Optional<ClusterSecret> secret,
      Duration electionMin,
      Duration electionMax,
      LogBounds bounds) {
    this(group, own, founders, directory, secret, electionMin, electionMax, bounds, 0);
  }

  /** A copy that begins in that generation. */
  public GroupConfig of(long begins) {
    return with(founders, bounds, begins);
  }

  /** A copy whose log keeps so many bytes for members that are away, asked at each look. */
  public GroupConfig retaining(LongSupplier bytes) {
    return with(founders, bounds.retaining(bytes), generation);
  }

  /** Of this member. */
  public String name() {
    return own.name();
  }

  private GroupConfig with(List<GroupMember> begun, LogBounds keeps, long of) {
    return new GroupConfig(
        group, own, begun, directory, secret, electionMin, electionMax, keeps, of);
  }

  /** A copy that runs where no other member hears of it, with the log in another directory. */
  GroupConfig apart(Path elsewhere, long of) {
    return new GroupConfig(
        group,
        new GroupMember(own.name(), "", GroupMember.Keeps.ROWS),
        List.of(),
        elsewhere,
        Optional.empty(),
        electionMin,
        electionMax,
        bounds,
        of);
  }

  /** The logs of all generations that are there. */
  GenerationLogs logs() {
    return new GenerationLogs(new GroupIds("alrai-dn:" + group), directory);
  }

  RaftGroupId id() {
    return logs().ids().of(generation);
  }

  RaftPeerId self() {
    return RaftPeerId.valueOf(name());
  }

  RaftGroup founding() {
    return RaftGroup.valueOf(id(), founders.stream().map(Membership::peer).toList());
  }
}
