package io.alrai.executor.timeslice;

/**
 * Processor time that comes at a steady rate and is spent after the fact: whoever has spent more
 * than has come waits until the debt is paid. Belongs to whoever holds the scheduler's lock.
 */
final class CpuBudget {
  private static final double NOTHING = 1e-6;

  private final long mostSaved;
  private final long mostOwed;
  private double rate;
  private double saved;
  private long atNanos;

  /**
   * Without any rate: nothing is limited.
   *
   * @param mostSaved nanoseconds that may be saved up
   * @param mostOwed nanoseconds of debt; what is spent beyond is never paid
   */
  CpuBudget(long mostSaved, long mostOwed) {
    this.mostSaved = mostSaved;
    this.mostOwed = mostOwed;
  }

  /**
   * From now on. What is saved or owed stays; where there was no limit, or will be none, nothing is
   * owed.
   *
   * @param processors how many of them at most, on average; 0: no limit
   */
  void rate(double processors, long nowNanos) {
    boolean wasLimited = isLimited();
    come(nowNanos);
    rate = processors;
    if (!wasLimited || !isLimited()) {
      saved = mostSaved;
    }
  }

  /** Whether there is a limit. */
  boolean isLimited() {
    return rate > NOTHING;
  }

  /** Takes what was spent. */
  void spend(long nanos, long nowNanos) {
    come(nowNanos);
    saved = Math.max(-mostOwed, saved - nanos);
  }

  /** How long to wait until something may be spent; 0: not at all. */
  long waitNanos(long nowNanos) {
    if (!isLimited()) {
      return 0;
    }
    come(nowNanos);
    return saved > 0 ? 0 : (long) Math.ceil((1 - saved) / rate);
  }

  private void come(long nowNanos) {
    saved = Math.min(mostSaved, saved + (nowNanos - atNanos) * rate);
    atNanos = nowNanos;
  }
}
