package io.alrai.cn.console;

import io.alrai.dn.backend.PoolLimits;
import java.util.concurrent.TimeUnit;

/** Bounds that all processes share. */
final class Limits {
  /** A CN's connections to one mysqld under one account. */
  private static final int BRANCHES_OF_A_DN = 80;

  private static final long BRANCH_WAIT_SECONDS = 20;

  private Limits() {}

  /** Of a CN with so many event loops. */
  static PoolLimits pool(int loops) {
    return new PoolLimits(
        Math.max(4, BRANCHES_OF_A_DN / loops), TimeUnit.SECONDS.toNanos(BRANCH_WAIT_SECONDS));
  }
}
