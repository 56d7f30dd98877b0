package io.alrai.cn.pressure;

import io.alrai.cn.turn.PlaceQueue;
import io.alrai.common.error.AlraiException;
import io.alrai.common.error.ErrorCode;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;

/**
 * The places of one event loop, as many as {@link AdaptiveLimit} says. One event loop only.
 *
 * <p>While somebody has waited all the time for as long as one may, there is more than can be done:
 * then those who came last are let in first, so that those who are let in have not waited for long
 * ("adaptive LIFO" of Maurer, Fail at Scale, 2015, after CoDel of Nichols and Jacobson, 2012).
 *
 * <p>A loop that answers by itself is its own bottleneck: what comes while it is busy waits in
 * sockets. It lets in statements for a part of each pass ({@link LoopPass}), and reads the others
 * only, so that they wait here, where the newest can be first and the oldest gets its error. Those
 * are let in between passes, for as long.
 *
 * <p>What has been at work for {@link #STALL_NANOS} waits for something, or computes for long: its
 * place goes to somebody else.
 */
public final class PressureQueue implements PlaceQueue {
  static final long STALL_NANOS = TimeUnit.MILLISECONDS.toNanos(100);

  /** Which part of the time that a statement may wait a pass of the loop lets statements in. */
  private static final int PASS_PART = 32;

  private static final long LOOK_NANOS = TimeUnit.MILLISECONDS.toNanos(5);

  private final Pressure cn;
  private final LongSupplier nanoTime;
  private final LoopTasks tasks;
  private final LoopPass pass;
  private final AdaptiveLimit limit = new AdaptiveLimit();

  /** When each began, in that order. */
  private final LinkedHashMap<Waiter, Long> working = new LinkedHashMap<>();

  private final LinkedHashSet<Waiter> waiting = new LinkedHashSet<>();

  /** Since when somebody waits. */
  private long waitingSince;

  private boolean looks;

  /** Those who wait do so for the loop: they are let in between its passes only. */
  private boolean late;

  /** Other threads may see them later. */
  private volatile int shownWaiting;

  private volatile int shownLimit = limit.get();

  /**
   * Places that are all free.
   *
   * @param tasks of the loop
   */
  PressureQueue(Pressure cn, LongSupplier nanoTime, LoopTasks tasks) {
    this.cn = cn;
    this.nanoTime = nanoTime;
    this.tasks = tasks;
    this.pass = new LoopPass(tasks, this::passed);
  }

  /** Whether there is anything to ask for. */
  public boolean isOn() {
    return cn.waitMillis() > 0;
  }

  int shownWaiting() {
    return shownWaiting;
  }

  int shownLimit() {
    return shownLimit;
  }

  @Override
  public Answer enter(Waiter waiter) {
    if (!isOn()) {
      return Answer.FREE;
    }
    long now = nanoTime.getAsLong();
    letGo(now);
    pass.begin(now);
    boolean hasTime = !pass.isLate(now, passNanos());
    boolean hasPlace = hasPlace();
    if (hasTime && hasPlace && (waiting.isEmpty() || isTooMuch(now))) {
      working.put(waiter, now);
      return Answer.RUNS;
    }
    if (waiting.isEmpty()) {
      waitingSince = now;
    }
    waiting.add(waiter);
    shownWaiting = waiting.size();
    if (!hasPlace) {
      limit.reached();
      look();
    } else if (!hasTime) {
      late = true;
    }
    return Answer.WAITS;
  }

  private boolean hasPlace() {
    return working.size() < limit.get() || !isOn();
  }

  private long passNanos() {
    return TimeUnit.MILLISECONDS.toNanos(cn.waitMillis()) / PASS_PART;
  }

  @Override
  public void leave(Waiter holder) {
    long now = nanoTime.getAsLong();
    Long began = working.remove(holder);
    if (began != null) {
      limit.ended(now - began, now);
      shownLimit = limit.get();
    }
    next(now);
  }

  @Override
  public void withdraw(Waiter waiter, boolean tooLong) {
    waiting.remove(waiter);
    shownWaiting = waiting.size();
    if (tooLong) {
      cn.refused().increment();
    }
  }

  private void next(long now) {
    letGo(now);
    while (!late && !waiting.isEmpty() && hasPlace()) {
      letIn(now);
    }
    shownWaiting = waiting.size();
  }

  private void letIn(long now) {
    Waiter chosen = isTooMuch(now) ? waiting.removeLast() : waiting.removeFirst();
    working.put(chosen, now);
    chosen.goesOn(true);
  }

  /** All that had come is read. */
  private void passed() {
    if (late) {
      long now = nanoTime.getAsLong();
      // where there is too much, newer ones have had a part of its time
      letInUntil(passNanos() + (isTooMuch(now) ? pass.since() : now));
    }
  }

  /** Lets in one that waits for the loop, and after it the next. */
  private void letInUntil(long end) {
    long now = nanoTime.getAsLong();
    letGo(now);
    if (waiting.isEmpty() || !hasPlace()) {
      late = false; // those who are left wait for places
      look();
    } else if (now < end || !isOn()) {
      letIn(now);
      tasks.execute(() -> letInUntil(end));
    } else {
      again();
    }
    shownWaiting = waiting.size();
  }

  private void again() {
    pass.begin(nanoTime.getAsLong());
  }

  private void letGo(long now) {
    Iterator<Map.Entry<Waiter, Long>> oldest = working.entrySet().iterator();
    while (oldest.hasNext() && now - oldest.next().getValue() >= STALL_NANOS) {
      oldest.remove();
    }
  }

  private boolean isTooMuch(long now) {
    return !waiting.isEmpty()
        && now - waitingSince > TimeUnit.MILLISECONDS.toNanos(cn.waitMillis());
  }

  /** For as long as somebody waits: places of what has stalled come free without a word. */
  private void look() {
    if (!looks && !waiting.isEmpty()) {
      looks = true;
      tasks.schedule(
          () -> {
            looks = false;
            next(nanoTime.getAsLong());
            look();
          },
          LOOK_NANOS);
    }
  }

  @Override
  public long waitMillis() {
    return cn.waitMillis();
  }

  @Override
  public String state() {
    return "Waiting for a place of its CN";
  }

  @Override
  public AlraiException refusal(long waitedMillis) {
    return AlraiException.ofMany(
        ErrorCode.ER_SERVER_ISNT_AVAILABLE,
        "Server isn't available: the CN has more statements than it can run. This one has waited for "
            + Math.max(0, waitedMillis)
            + " ms and has not begun; send it again later");
  }
}
