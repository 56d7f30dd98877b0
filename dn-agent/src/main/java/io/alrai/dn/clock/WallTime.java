package io.alrai.dn.clock;

import java.util.function.LongSupplier;

/** Where clocks take the wall time from. */
public final class WallTime {
  private static final LongSupplier STEADY =
      new SteadyTime(System::currentTimeMillis, System::nanoTime);

  private WallTime() {}

  /**
   * Milliseconds since 1970, by the system's clock; they do not go back with it while the process
   * lives.
   */
  public static LongSupplier system() {
    return STEADY;
  }

  /** The system's wall time plus an offset, for tests with nodes whose clocks disagree. */
  public static LongSupplier withOffset(long offsetMillis) {
    return () -> STEADY.getAsLong() + offsetMillis;
  }
}
