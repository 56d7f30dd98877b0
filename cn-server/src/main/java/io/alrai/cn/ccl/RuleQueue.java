package io.alrai.cn.ccl;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import io.alrai.cn.turn.PlaceQueue;
import io.alrai.common.error.AlraiException;
import io.alrai.common.error.ErrorCode;
import io.alrai.gms.api.CclRule;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.LongAdder;
import org.jspecify.annotations.Nullable;

/**
 * The places of one rule at this CN, and those who wait for one in the order in which they came.
 * Thread-safe; nobody is called while it is locked.
 */
final class RuleQueue implements PlaceQueue {
  private final CclRule rule;
  private final RuleTotals all;
  private final LongAdder matched = new LongAdder();
  private final LongAdder knownShapes = new LongAdder();

  @GuardedBy("this")
  private final LinkedHashSet<Waiter> waiting = new LinkedHashSet<>();

  @GuardedBy("this")
  private int running;

  @GuardedBy("this")
  private long refused;

  @GuardedBy("this")
  private boolean closed;

  /**
   * The places of a rule, all free.
   *
   * @param all counts those of all rules
   */
  RuleQueue(CclRule rule, RuleTotals all) {
    this.rule = rule;
    this.all = all;
  }

  CclRule rule() {
    return rule;
  }

  /** Counts a statement that the rule is about. */
  void matches(boolean knownShape) {
    matched.increment();
    if (knownShape) {
      knownShapes.increment();
    }
  }

  @Override
  public synchronized Answer enter(Waiter waiter) {
    if (closed) {
      return Answer.FREE;
    }
    if (running < rule.limits().concurrency()) {
      running++;
      return Answer.RUNS;
    }
    if (waiting.size() < rule.limits().queue()) {
      waiting.add(waiter);
      all.waits().increment();
      return Answer.WAITS;
    }
    refuse();
    return Answer.REFUSED;
  }

  /** The first who waits gets it. */
  @Override
  public void leave(Waiter holder) {
    @Nullable Waiter next;
    synchronized (this) {
      next = waiting.isEmpty() ? null : waiting.removeFirst();
      if (next == null) {
        running--;
      }
    }
    if (next != null) {
      next.goesOn(true);
    }
  }

  @Override
  public synchronized void withdraw(Waiter waiter, boolean tooLong) {
    waiting.remove(waiter);
    if (tooLong) {
      refuse();
    }
  }

  @Override
  public long waitMillis() {
    return TimeUnit.SECONDS.toMillis(rule.limits().waitSeconds());
  }

  @Override
  public String state() {
    return "Waiting for ccl rule " + rule.name();
  }

  @Override
  public AlraiException refusal(long waitedMillis) {
    return new AlraiException(
        ErrorCode.ER_COL_COUNT_DOESNT_MATCH_PLEASE_UPDATE_V2,
        "Exceeding the max concurrency "
            + rule.limits().concurrency()
            + " per node of ccl rule "
            + rule.name()
            + (waitedMillis < 0 ? "" : " after waiting for " + waitedMillis + " ms"));
  }

  @GuardedBy("this")
  private void refuse() {
    refused++;
    all.refused().increment();
  }

  /** The rule is gone: all who wait go on, and nobody waits from now on. */
  void close() {
    List<Waiter> freed;
    synchronized (this) {
      closed = true;
      freed = new ArrayList<>(waiting);
      waiting.clear();
    }
    freed.forEach(waiter -> waiter.goesOn(false));
  }

  /** What it has counted until now. */
  synchronized RuleCounts counts() {
    return new RuleCounts(running, waiting.size(), refused, knownShapes.sum(), matched.sum());
  }
}
