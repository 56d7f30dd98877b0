package io.alrai.gms.member;

import java.time.Duration;

/**
 * Until when somebody waits.
 *
 * @param nanos by {@link System#nanoTime}
 */
public record Deadline(long nanos) {
  /** The moment after a while from now. */
  public static Deadline in(Duration patience) {
    return new Deadline(System.nanoTime() + patience.toNanos());
  }

  /** Whether it has come. */
  public boolean isOver() {
    return System.nanoTime() - nanos > 0;
  }
}
