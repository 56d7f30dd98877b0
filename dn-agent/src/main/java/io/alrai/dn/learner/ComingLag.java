package io.alrai.dn.learner;

import java.util.ArrayDeque;
import java.util.concurrent.TimeUnit;

/**
 * How old the oldest entry is that a learner has heard of and that has not come yet: it reads no
 * faster than its mysqld receives. What is heard of within a step counts from the step's begin, so
 * the lag may be a little too long. One thread at a time.
 */
final class ComingLag {
  /** They join when there are more. */
  private static final int MOST_STEPS = 1_024;

  private long stepNanos = TimeUnit.MILLISECONDS.toNanos(20);
  private long passed = -1;
  private final ArrayDeque<Step> steps = new ArrayDeque<>();

  private static final class Step {
    final long beginNanos;
    long index;

    Step(long beginNanos, long index) {
      this.beginNanos = beginNanos;
      this.index = index;
    }
  }

  /** An entry is committed. */
  void heard(long index, long nowNanos) {
    Step newest = steps.peekLast();
    if (index <= (newest == null ? passed : newest.index)) {
      return;
    }
    if (newest != null && nowNanos - newest.beginNanos < stepNanos) {
      newest.index = index;
      return;
    }
    if (steps.size() == MOST_STEPS) {
      joinSteps();
    }
    steps.add(new Step(nowNanos, index));
  }

  /** Two each become one. */
  private void joinSteps() {
    stepNanos *= 2;
    for (int left = steps.size() / 2; left > 0; left--) {
      Step first = steps.remove();
      first.index = steps.remove().index;
      steps.add(first);
    }
  }

  /** All up to that entry has come. */
  void came(long upTo) {
    passed = Math.max(passed, upTo);
    while (!steps.isEmpty() && steps.element().index <= passed) {
      steps.remove();
    }
  }

  /** The last entry up to which all has come; -1 for none. */
  long passed() {
    return passed;
  }

  /** How old the oldest is that has not come. */
  long millis(long nowNanos) {
    Step oldest = steps.peek();
    return oldest == null ? 0 : TimeUnit.NANOSECONDS.toMillis(nowNanos - oldest.beginNanos);
  }
}
