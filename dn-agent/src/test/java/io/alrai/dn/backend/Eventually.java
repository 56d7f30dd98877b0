package io.alrai.dn.backend;

import java.time.Duration;

/** Waits for what other threads and processes bring about. */
public final class Eventually {
  /** A disk may stall. */
  public static final Duration PATIENCE = Duration.ofSeconds(60);

  private static final long LOOK_MILLIS = 5;

  private Eventually() {}

  /** A look that may fail. */
  public interface Condition {
    boolean holds() throws Exception;
  }

  /**
   * Returns when it holds.
   *
   * @param what it is, for the error when it does not come in time
   */
  public static void await(String what, Condition condition) throws Exception {
    long end = System.nanoTime() + PATIENCE.toNanos();
    while (!condition.holds()) {
      if (System.nanoTime() - end > 0) {
        throw new AssertionError(what + " did not come within " + PATIENCE.toSeconds() + " s");
      }
      Thread.sleep(LOOK_MILLIS);
    }
  }
}
