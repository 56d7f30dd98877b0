package io.alrai.dn.role;

import io.alrai.common.error.AlraiException;
import io.alrai.dn.group.GroupView;
import io.alrai.dn.raft.GroupConfig;
import io.alrai.dn.raft.GroupLog;
import java.util.function.LongSupplier;

/**
 * A member's place in its group: it votes, whatever its mysqld does.
 *
 * @param changed notes what is heard
 * @param view what is heard
 * @param log of the group
 */
record GroupSeat(GroupConfig config, MemberChanges changed, GroupView view, GroupLog log) {
  /**
   * Votes from now on.
   *
   * @param nanos as {@link System#nanoTime}
   * @throws AlraiException why the log cannot be used
   */
  static GroupSeat take(GroupConfig config, MemberChanges changed, LongSupplier nanos) {
    GroupView view = new GroupView(config.name(), changed, nanos);
    return new GroupSeat(config, changed, view, GroupLog.start(config, view));
  }

  /** Its name in the group. */
  String name() {
    return config.name();
  }
}
