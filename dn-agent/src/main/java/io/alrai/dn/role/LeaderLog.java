package io.alrai.dn.role;

import io.alrai.dn.binlog.LongEvents;
import io.alrai.dn.gate.live.CommitLog;
import io.alrai.dn.gate.live.OwnLog;
import io.alrai.dn.xa.DecisionLog;
import java.util.Optional;

/**
 * Which log the commits of a leader go to before they become visible.
 *
 * @param commits takes them
 * @param longOnes takes the events of those that are too long to be given with them
 * @param decisions tells what was decided before; empty where the mysqld's own log does
 */
public record LeaderLog(CommitLog commits, LongEvents longOnes, Optional<DecisionLog> decisions) {
  /** For a DN with one replica. */
  public static LeaderLog own() {
    return new LeaderLog(new OwnLog(), LongEvents.NONE, Optional.empty());
  }
}
