package io.alrai.cn.config;

import com.sun.management.OperatingSystemMXBean;
import io.alrai.columnar.segment.MemoryBudget;
import io.alrai.dn.backend.PoolLimits;
import java.lang.management.ManagementFactory;
import java.util.concurrent.TimeUnit;

/** Bounds that all processes share. */
public final class Limits {
  /** A CN's connections to one mysqld under one account. */
  private static final int BRANCHES_OF_A_DN = 80;

  /**
   * Connections of sessions that wait for named locks or have some, or that have temporary tables.
   */
  private static final int KEPT_BRANCHES = 250;

  private static final long BRANCH_WAIT_SECONDS = 20;

  private Limits() {}

  /** The limits of a CN with this many event loops. */
  public static PoolLimits pool(int loops) {
    return new PoolLimits(
        Math.max(4, BRANCHES_OF_A_DN / loops),
        Math.max(4, KEPT_BRANCHES / loops),
        TimeUnit.SECONDS.toNanos(BRANCH_WAIT_SECONDS));
  }

  /** What all column indexes of a process may take off the heap: a quarter of the machine's. */
  public static long columnsMegabytes() {
    OperatingSystemMXBean system = ManagementFactory.getPlatformMXBean(OperatingSystemMXBean.class);
    return system.getTotalMemorySize() / 4 >> 20;
  }

  /** That many MiB. */
  public static MemoryBudget megabytes(long count) {
    return new MemoryBudget(count << 20);
  }
}
