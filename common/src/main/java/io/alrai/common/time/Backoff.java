package io.alrai.common.time;

import java.time.Duration;

/**
 * How long to wait before something that died is started again: not at all the first time, then
 * twice as long each time up to a bound; from the beginning once it stayed up. One thread.
 */
public final class Backoff {
  private static final Duration FIRST = Duration.ofMillis(100);
  private static final Duration LONGEST = Duration.ofSeconds(5);
  private static final Duration STEADY = Duration.ofSeconds(10);

  private Duration next = Duration.ZERO;

  /**
   * The pause to make now.
   *
   * @param uptime how long it was up before it died; zero when it did not come up
   */
  public Duration pauseAfter(Duration uptime) {
    forgetIfSteady(uptime);
    Duration pause = next;
    Duration doubled = pause.isZero() ? FIRST : pause.multipliedBy(2);
    next = doubled.compareTo(LONGEST) > 0 ? LONGEST : doubled;
    return pause;
  }

  /** The pause to make where it was ended for a new start, and has not failed: none. */
  public Duration renewedAfter(Duration uptime) {
    forgetIfSteady(uptime);
    return Duration.ZERO;
  }

  private void forgetIfSteady(Duration uptime) {
    if (uptime.compareTo(STEADY) >= 0) {
      next = Duration.ZERO;
    }
  }
}
