package io.alrai.dn.backend;

import io.alrai.dn.link.BackendAccount.Family;
import java.time.Duration;

/**
 * Bounds of a pool.
 *
 * @param branchesPerLoop connections of one event loop to one mysqld for {@link Family#WORK}
 * @param keptBranchesPerLoop the same for each family whose connections belong to one session for
 *     long
 * @param waitNanos how long to wait for a free one, or for a mysqld that is down
 * @param failoverWait how long to wait until one of several members leads a DN
 */
public record PoolLimits(
    int branchesPerLoop, int keptBranchesPerLoop, long waitNanos, Duration failoverWait) {
  private static final Duration FAILOVER_WAIT = Duration.ofSeconds(5);
  private static final int IDLE_KEPT_BRANCHES = 4;
  private static final int KILLS = 4;

  /** Bounds with the usual wait for a leader. */
  public PoolLimits(int branchesPerLoop, int keptBranchesPerLoop, long waitNanos) {
    this(branchesPerLoop, keptBranchesPerLoop, waitNanos, FAILOVER_WAIT);
  }

  /** How many connections of a loop there may be. */
  int most(Family family) {
    return switch (family) {
      case WORK -> branchesPerLoop;
      case NAMED_LOCKS, TEMPORARY -> keptBranchesPerLoop;
      case KILLS -> KILLS;
    };
  }

  /** How many connections of a loop under one account stay open while nobody uses them. */
  int idle(Family family) {
    return family == Family.WORK ? branchesPerLoop : IDLE_KEPT_BRANCHES;
  }
}
