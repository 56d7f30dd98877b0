package io.alrai.dn.group;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import io.alrai.dn.binlog.Gtid;
import io.alrai.dn.binlog.GtidSet;
import java.util.ArrayDeque;
import java.util.Iterator;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;

/**
 * What a member's mysqld lacks of what the group has committed, as a time. A mysqld applies in the
 * order of the log, so it is enough to remember a transaction every few milliseconds. All that
 * comes within such a step counts from the step's begin, which makes the lag a little too long,
 * never too short. Thread-safe.
 */
public final class ApplyLag {
  private static final long STEP_NANOS = TimeUnit.MILLISECONDS.toNanos(20);
  private static final long KEPT_NANOS = TimeUnit.SECONDS.toNanos(60);

  /** More steps than there are in the time that they are kept for; a mysqld is further behind. */
  static final int MOST_STEPS = 4_096;

  private static final long NONE = -1;

  private final LongSupplier nanoTime;

  @GuardedBy("this")
  private final ArrayDeque<Step> steps = new ArrayDeque<>();

  @GuardedBy("this")
  private long applied = NONE;

  @GuardedBy("this")
  private long length = STEP_NANOS;

  /** What was committed within a few milliseconds. */
  private static final class Step {
    final long begin;
    long index;
    Gtid last;

    Step(long begin, long index, Gtid last) {
      this.begin = begin;
      this.index = index;
      this.last = last;
    }
  }

  /**
   * Nothing is committed.
   *
   * @param nanoTime as {@link System#nanoTime}
   */
  public ApplyLag(LongSupplier nanoTime) {
    this.nanoTime = nanoTime;
  }

  /** A transaction is committed, by the entry with that index. In the order of the log. */
  public synchronized void committed(long index, Gtid gtid) {
    long now = nanoTime.getAsLong();
    Step newest = steps.peekLast();
    if (newest != null && newest.index > applied && now - newest.begin < length) {
      newest.index = index;
      newest.last = gtid;
      return;
    }
    forget(now);
    steps.add(new Step(now, index, gtid));
  }

  @GuardedBy("this")
  private void forget(long now) {
    Step oldest;
    while ((oldest = steps.peekFirst()) != null
        && oldest.index <= applied
        && now - oldest.begin > KEPT_NANOS) {
      steps.removeFirst();
    }
    if (steps.size() < MOST_STEPS) {
      return;
    }
    length *= 2;
    boolean goes = false;
    Step before = null;
    for (Iterator<Step> all = steps.iterator(); all.hasNext(); goes = !goes) {
      Step step = all.next();
      if (goes && before != null) {
        before.index = step.index;
        before.last = step.last;
        all.remove();
      }
      before = step;
    }
  }

  /** The mysqld has these. */
  public synchronized void executed(GtidSet set) {
    for (Step step : steps) {
      if (step.index <= applied) {
        continue;
      }
      if (!set.contains(step.last)) {
        return;
      }
      applied = step.index;
    }
    length = STEP_NANOS;
  }

  /** The mysqld has all: it leads. */
  public synchronized void all() {
    Step newest = steps.peekLast();
    if (newest != null) {
      applied = newest.index;
    }
    length = STEP_NANOS;
  }

  /** Whether there is something that the mysqld is not known to have. */
  public synchronized boolean isBehind() {
    Step newest = steps.peekLast();
    return newest != null && newest.index > applied;
  }

  /**
   * Up to which entry the mysqld has all transactions.
   *
   * @param committed the last entry that the member has heard of, asked before this
   * @return -1 where it is not known yet
   */
  public synchronized long applied(long committed) {
    return isBehind() ? applied : Math.max(applied, committed);
  }

  /** How old the oldest transaction is that this mysqld has not. */
  public synchronized long millis() {
    return age(applied);
  }

  /**
   * How old the oldest transaction is that this member has heard of, and another one has not
   * applied.
   *
   * @param upTo what {@link #applied(long)} is there
   */
  public synchronized long millis(long upTo) {
    return age(upTo);
  }

  @GuardedBy("this")
  private long age(long upTo) {
    for (Step step : steps) {
      if (step.index > upTo) {
        return TimeUnit.NANOSECONDS.toMillis(nanoTime.getAsLong() - step.begin);
      }
    }
    return 0;
  }
}
