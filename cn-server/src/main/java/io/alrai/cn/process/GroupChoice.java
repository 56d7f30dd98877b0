package io.alrai.cn.process;

import io.alrai.dn.raft.LogBounds;
import io.alrai.dn.role.LeaderContext;

/**
 * What members of groups bear with of others.
 *
 * @param retainedBytes what their logs keep for members that are away
 * @param mostLagMillis what the best follower may lag before commits wait for it; 0: as much as it
 *     likes
 */
record GroupChoice(long retainedBytes, long mostLagMillis) {
  /** If nobody says so. */
  static final GroupChoice USUAL =
      new GroupChoice(LogBounds.USUAL_RETAINED, LeaderContext.USUAL_LAG_MILLIS);

  /** How long a member keeps its log. */
  LogBounds bounds() {
    return LogBounds.standard().retaining(retainedBytes);
  }
}
