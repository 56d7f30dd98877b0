package io.alrai.dn.role;

import io.alrai.dn.group.GroupView;
import io.alrai.dn.raft.GroupConfig;
import io.alrai.dn.raft.GroupLog;
import io.alrai.dn.role.GroupAgent.Role;
import java.util.function.Supplier;

/** What a member measures of itself, whatever its role is. */
final class MemberHealth implements AutoCloseable {
  private final LagWatch lag;

  /** Measures nothing yet but what somebody looks at. */
  MemberHealth(
      GroupConfig config,
      Member member,
      GroupLog groupLog,
      GroupView view,
      GroupFollower follower,
      Supplier<Role> role) {
    this.lag = new LagWatch(config.name(), view.lag(), follower, role);
    MemberMetrics.register(member, groupLog, view, role);
  }

  void start() {
    lag.start();
  }

  @Override
  public void close() {
    lag.close();
  }
}
