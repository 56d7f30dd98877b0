package io.alrai.dn.clock;

import java.util.function.LongSupplier;

/** Where clocks take the wall time from. */
public final class WallTime {
  private WallTime() {}

  /** Milliseconds since 1970, by the system's clock. */
  public static LongSupplier system() {
    return System::currentTimeMillis;
  }

  /** The same, wrong by an offset: for tests with nodes whose clocks disagree. */
  public static LongSupplier withOffset(long offsetMillis) {
    return () -> System.currentTimeMillis() + offsetMillis;
  }
}
