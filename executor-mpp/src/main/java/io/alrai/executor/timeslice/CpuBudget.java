package io.alrai.executor.timeslice;

/**
 * Processor time that comes at a steady rate and is spent after the fact: whoever has spent more
 * than has come waits until the debt is paid. Belongs to whoever holds the scheduler's lock.
 */
final class CpuBudget {
  private static final double NOTHING = 1e-6;

  private final long mostSaved;
  private double rate;
  private double saved;
  private long atNanos;

  /**
   * Without any rate: nothing is limited.
   *
   * @param mostSaved nanoseconds that may be saved up
   */
  CpuBudget(long mostSaved) {
    this.mostSaved = mostSaved;
  }

  /**
   * Begins anew.
   *
   * @param processors how many of them at most, on average; 0: no limit
   */
  void rate(double processors, long nowNanos) {
    rate = processors;
    saved = mostSaved;
    atNanos = nowNanos;
  }

  /** Whether there is a limit. */
  boolean isLimited() {
    return rate > NOTHING;
  }

  /** Takes what was spent. */
  void spend(long nanos, long nowNanos) {
    come(nowNanos);
    saved -= nanos;
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
