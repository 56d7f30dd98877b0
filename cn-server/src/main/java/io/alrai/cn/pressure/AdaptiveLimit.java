package io.alrai.cn.pressure;

import java.util.concurrent.TimeUnit;

/**
 * How many statements may be at work, found by how long they take: more for as long as they take no
 * longer than twice what they take when few are at work, fewer when they do. It moves in windows,
 * and only while as many as it allows were at work. How long they take when few are at work is seen
 * in quiet windows, and while there are none by letting in a quarter of the limit for a moment:
 * else a queue in the DNs that is always there would be taken for what statements need. One event
 * loop.
 *
 * <p>After TCP Vegas (Brakmo, O'Malley, Peterson 1994) and the gradient of Netflix's
 * concurrency-limits.
 */
final class AdaptiveLimit {
  private static final double LEAST = 4;
  private static final double MOST = 1_000;
  private static final double INITIAL = 20;

  /** How many times the unloaded time is no sign of a queue. */
  private static final double TOLERANCE = 2;

  private static final double SLOWEST = 0.5;
  private static final double SMOOTHING = 0.2;

  /** How much of what is longer the unloaded time becomes in a window, as statements change. */
  private static final double FORGETTING = 0.05;

  /** After so many windows without a quiet one it looks. */
  private static final int LOOK_WINDOWS = 50;

  private static final double LOOK_PART = 4;

  private static final long WINDOW_NANOS = TimeUnit.MILLISECONDS.toNanos(100);
  private static final int LEAST_ENDS = 20;

  private double limit = INITIAL;
  private double unloadedNanos;
  private long windowStart;
  private long sumNanos;
  private int ends;
  private boolean reached;

  /** Windows without a quiet one; it looks soon after its first. */
  private int busyWindows = LOOK_WINDOWS - 5;

  int get() {
    return (int) (busyWindows < LOOK_WINDOWS ? limit : Math.max(LEAST, limit / LOOK_PART));
  }

  /** Somebody had to wait. */
  void reached() {
    reached = true;
  }

  /** A statement has ended that was at work for so long. */
  void ended(long tookNanos, long now) {
    if (ends == 0) {
      windowStart = now;
    }
    ends++;
    sumNanos += Math.max(1, tookNanos);
    if (ends >= LEAST_ENDS && now - windowStart >= WINDOW_NANOS) {
      move((double) sumNanos / ends);
      ends = 0;
      sumNanos = 0;
      reached = false;
    }
  }

  private void move(double meanNanos) {
    boolean shorter = unloadedNanos == 0 || meanNanos < unloadedNanos;
    if (!reached) {
      busyWindows = 0;
      unloadedNanos += (meanNanos - unloadedNanos) * (shorter ? 1 : FORGETTING);
      return;
    }
    busyWindows++;
    if (busyWindows > LOOK_WINDOWS + 1) {
      unloadedNanos = meanNanos;
      busyWindows = 0;
      return;
    }
    if (busyWindows >= LOOK_WINDOWS) {
      return; // those that were let in before are not yet gone
    }
    if (shorter) {
      unloadedNanos = meanNanos;
    }
    double gradient = Math.clamp(TOLERANCE * unloadedNanos / meanNanos, SLOWEST, 1);
    double target = limit * gradient + Math.sqrt(limit);
    limit = Math.clamp(limit + (target - limit) * SMOOTHING, LEAST, MOST);
  }
}
