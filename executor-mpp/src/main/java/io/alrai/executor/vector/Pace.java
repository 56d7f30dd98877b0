package io.alrai.executor.vector;

import java.util.function.LongSupplier;

/** How long a worker may go on with its slice. Belongs to one thread at a time. */
public final class Pace {
  private final Runnable check;
  private final LongSupplier clock;
  private final int partnersBetweenLooks;
  private long deadlineNanos;
  private int partners;

  /**
   * A worker's.
   *
   * @param check throws when the query is to end
   * @param clock nanoseconds, the scheduler's
   * @param partnersBetweenLooks how many rows of joins' chains may pass until it looks at both
   */
  public Pace(Runnable check, LongSupplier clock, int partnersBetweenLooks) {
    this.check = check;
    this.clock = clock;
    this.partnersBetweenLooks = partnersBetweenLooks;
  }

  /** Another slice begins. */
  public void begin(long deadline) {
    deadlineNanos = deadline;
  }

  /**
   * Whether the slice goes on.
   *
   * @throws RuntimeException what the check throws when the query is to end
   */
  public boolean goesOn() {
    check.run();
    return clock.getAsLong() - deadlineNanos < 0;
  }

  /** Goes on unless the query is to end: for what cannot pause. */
  public void check() {
    check.run();
  }

  /** Another row of a chain: 1 to go on, 0 to pause. For generated code. */
  public int next() {
    if (++partners < partnersBetweenLooks) {
      return 1;
    }
    partners = 0;
    return goesOn() ? 1 : 0;
  }
}
