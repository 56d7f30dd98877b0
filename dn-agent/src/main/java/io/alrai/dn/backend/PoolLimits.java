package io.alrai.dn.backend;

import io.alrai.dn.link.BackendAccount;

/**
 * Bounds of a pool.
 *
 * @param branchesPerLoop connections of one event loop to one mysqld under all accounts but {@link
 *     BackendAccount#NAMED_LOCKS}
 * @param lockBranchesPerLoop the same under that one: each belongs to one session as long as it
 *     waits for a named lock or has one
 * @param waitNanos how long to wait for a free one, or for a mysqld that is down
 */
public record PoolLimits(int branchesPerLoop, int lockBranchesPerLoop, long waitNanos) {
  private static final int IDLE_LOCK_BRANCHES = 4;

  /** How many connections of a loop under one account stay open while nobody uses them. */
  int idle(BackendAccount account) {
    return account == BackendAccount.NAMED_LOCKS ? IDLE_LOCK_BRANCHES : branchesPerLoop;
  }
}
