package io.alrai.dn.backend;

import io.alrai.dn.link.BackendAccount;
import io.alrai.dn.link.BranchTaker;
import io.netty.channel.EventLoop;

/** Opens connections for a pool. */
public interface BackendConnector {
  /**
   * Opens one on a loop; the taker is called there, with a {@link PipelinedBranch} that is ready
   * for commands, or with why there is none. Refusals come at once; the pool retries.
   *
   * @param home where the branch goes when it is released or dies
   */
  void open(EventLoop loop, BackendAccount account, PipelinedBranch.Home home, BranchTaker taker);

  /** Whether the mysqld answers, as far as is known. Any thread. */
  default boolean answers() {
    return true;
  }

  /** How long who needs a connection waits while they are refused. */
  default long downNanos(PoolLimits limits) {
    return limits.waitNanos();
  }
}
