package io.alrai.dn.role;

import io.alrai.dn.group.CommitBrake;
import io.alrai.dn.group.GroupView;
import io.alrai.dn.raft.GroupLog;
import io.alrai.dn.role.GroupAgent.Role;
import java.util.List;
import java.util.function.Supplier;

/** How a member is, and how the others are while it leads. */
final class MemberHealth implements AutoCloseable {
  private final LagWatch lag;
  private final FollowerLooks followers;
  private final CommitBrake brake;

  /**
   * Looks at nothing yet.
   *
   * @param others members with rows, without this one
   * @param mostLagMillis see {@link LeaderContext}
   */
  MemberHealth(
      String name,
      Member member,
      GroupLog groupLog,
      GroupView view,
      GroupFollower follower,
      Supplier<Role> role,
      Supplier<List<String>> others,
      long mostLagMillis) {
    this.lag = new LagWatch(name, view.lag(), follower, role);
    this.brake = new CommitBrake(name, mostLagMillis);
    this.followers =
        new FollowerLooks(name, others, groupLog, view, role, brake, member.context().nanos());
    groupLog.says(() -> {
      boolean follows = role.get() == Role.FOLLOWING;
      return new MemberWord(follows ? view.lag().applied() : -1, "").encode();
    });
    MemberMetrics.register(member, groupLog, view, role);
  }

  void start() {
    lag.start();
    followers.start();
  }

  /** Holds acknowledgements back while this member leads. */
  CommitBrake brake() {
    return brake;
  }

  @Override
  public void close() {
    lag.close();
    followers.close();
  }
}
