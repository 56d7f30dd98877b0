package io.alrai.cn.pressure;

import io.alrai.cn.turn.PlaceQueue;
import io.alrai.common.error.AlraiException;
import io.alrai.common.error.ErrorCode;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.function.LongSupplier;

/**
 * The places of one event loop, as many as {@link AdaptiveLimit} says. One event loop only.
 *
 * <p>While somebody has waited all the time for as long as one may, there is more than can be done:
 * then those who came last are let in first and the others wait for an eighth of that time only, so
 * that those who are let in have not waited for long ("controlled delay" and "adaptive LIFO" of
 * Maurer, Fail at Scale, 2015, after CoDel of Nichols and Jacobson, 2012).
 *
 * <p>What has been at work for {@link #STALL_NANOS} waits for something, or computes for long: its
 * place goes to somebody else.
 */
public final class PressureQueue implements PlaceQueue {
  static final long STALL_NANOS = TimeUnit.MILLISECONDS.toNanos(100);

  /** By how much less one waits while there is too much to do. */
  private static final int SHORTER = 8;

  private final Pressure cn;
  private final LongSupplier nanoTime;
  private final Consumer<Runnable> soon;
  private final AdaptiveLimit limit = new AdaptiveLimit();

  /** When each began, in that order. */
  private final LinkedHashMap<Waiter, Long> working = new LinkedHashMap<>();

  private final LinkedHashSet<Waiter> waiting = new LinkedHashSet<>();

  /** Since when somebody waits. */
  private long waitingSince;

  private boolean looks;

  /** Other threads may see them later. */
  private volatile int shownWaiting;

  private volatile int shownLimit = limit.get();

  /**
   * Places that are all free.
   *
   * @param soon runs something on the loop after some milliseconds
   */
  PressureQueue(Pressure cn, LongSupplier nanoTime, Consumer<Runnable> soon) {
    this.cn = cn;
    this.nanoTime = nanoTime;
    this.soon = soon;
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
    if (waiting.isEmpty() && working.size() < limit.get()) {
      working.put(waiter, now);
      return Answer.RUNS;
    }
    limit.reached();
    if (waiting.isEmpty()) {
      waitingSince = now;
    }
    waiting.add(waiter);
    shownWaiting = waiting.size();
    look();
    return Answer.WAITS;
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
    while (!waiting.isEmpty() && (working.size() < limit.get() || !isOn())) {
      Waiter chosen = isTooMuch(now) ? waiting.removeLast() : waiting.removeFirst();
      working.put(chosen, now);
      chosen.goesOn(true);
    }
    shownWaiting = waiting.size();
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
    if (!looks) {
      looks = true;
      soon.accept(() -> {
        looks = false;
        next(nanoTime.getAsLong());
        if (!waiting.isEmpty()) {
          look();
        }
      });
    }
  }

  @Override
  public long waitMillis() {
    long most = cn.waitMillis();
    return isTooMuch(nanoTime.getAsLong()) ? Math.max(1, most / SHORTER) : most;
  }

  @Override
  public String state() {
    return "Waiting for a place of its CN";
  }

  @Override
  public AlraiException refusal(long waitedMillis) {
    return new AlraiException(
        ErrorCode.ER_SERVER_ISNT_AVAILABLE,
        "Server isn't available: the CN has more statements than it can run. This one has waited for "
            + Math.max(0, waitedMillis)
            + " ms and has not begun; send it again later");
  }
}
