package io.alrai.executor.timeslice;

import java.time.Duration;

/**
 * What analytical work may have of the processors.
 *
 * @param isolated whether it gives way to all other work of the machine
 * @param quotaPercent at most, in hundredths of one processor; 0: no limit
 * @param slice how long a task may run before it must let others run
 */
public record CpuShare(boolean isolated, int quotaPercent, Duration slice) {
  /** As much as anybody, in slices of 500 ms. */
  public static final CpuShare EQUAL = new CpuShare(false, 0, Duration.ofMillis(500));

  /** Checks the numbers. */
  public CpuShare {
    if (quotaPercent < 0 || slice.isNegative() || slice.isZero()) {
      throw new IllegalArgumentException(quotaPercent + " % in slices of " + slice);
    }
  }
}
