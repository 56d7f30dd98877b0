package io.alrai.cn.ccl;

import io.alrai.cn.ccl.RuleQueue.Answer;
import io.alrai.common.error.AlraiException;
import io.alrai.common.error.ErrorCode;
import io.alrai.gms.api.CclRule;
import io.netty.channel.EventLoop;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * One session's place under a CCL rule: that of its statement at work. Event loop only.
 *
 * <pre>
 *   NONE -> (enters) -> INSIDE -> (leave) -> NONE
 *   NONE -> (enters) -> WAITING -> (a place, or the rule is gone) -> INSIDE
 *                       WAITING -> (time, KILL, the client leaves) -> NONE
 * </pre>
 */
public final class RuleTurn {
  private final EventLoop loop;
  private final LongSupplier nanoTime;

  /** The statement may run, with a place or without. */
  private boolean inside;

  private @Nullable RuleQueue place;
  private @Nullable Wait waiting;

  /** The turn of a session on this loop. */
  public RuleTurn(EventLoop loop, LongSupplier nanoTime) {
    this.loop = loop;
    this.nanoTime = nanoTime;
  }

  /**
   * Whether a statement may begin at once. One that may not has queued: {@link #await} comes next.
   *
   * @throws AlraiException 3009 where there is no room in the queue
   */
  public boolean enters(ShapeRules rules, ShapeRules.Asking statement) {
    if (inside) {
      return true;
    }
    RuleQueue queue = rules.find(statement);
    if (queue == null) {
      inside = true; // once for a statement, however often it is planned
      return true;
    }
    Wait wait = new Wait(queue);
    Answer answer = queue.enter(wait);
    switch (answer) {
      case RUNS -> place = queue;
      case FREE -> {}
      case WAITS -> {
        waiting = wait;
        return false;
      }
      case REFUSED -> throw exceeded(queue.rule(), "");
    }
    inside = true;
    return true;
  }

  /** Whether its statement has queued. */
  public boolean waits() {
    return waiting != null;
  }

  /** What SHOW PROCESSLIST says of a statement that has queued. */
  public String state() {
    Wait wait = waiting;
    return wait == null ? "" : "Waiting for ccl rule " + wait.queue.rule().name();
  }

  /**
   * Completes as soon as the statement that has queued may begin; fails with 3009 after the time of
   * the rule, and with 1317 by KILL.
   */
  public CompletableFuture<Void> await() {
    Wait wait = waiting;
    return wait == null ? CompletableFuture.completedFuture(null) : wait.begin();
  }

  /** Its statement has ended: gives its place back; without effect where it has none. */
  public void leave() {
    if (inside) {
      inside = false;
      RuleQueue left = place;
      place = null;
      if (left != null) {
        left.leave();
      }
    }
  }

  /**
   * KILL QUERY of what waits.
   *
   * @return whether something waited
   */
  public boolean interrupt() {
    Wait wait = waiting;
    if (wait == null) {
      return false;
    }
    wait.end(AlraiException.interruption(), false);
    return true;
  }

  private static AlraiException exceeded(CclRule rule, String after) {
    return new AlraiException(
        ErrorCode.ER_COL_COUNT_DOESNT_MATCH_PLEASE_UPDATE_V2,
        "Exceeding the max concurrency "
            + rule.limits().concurrency()
            + " per node of ccl rule "
            + rule.name()
            + after);
  }

  /** A statement that waits. */
  private final class Wait implements RuleQueue.Waiter {
    private final RuleQueue queue;
    private final CompletableFuture<Void> done = new CompletableFuture<>();
    private final long startNanos = nanoTime.getAsLong();
    private @Nullable Future<?> timeout;

    Wait(RuleQueue queue) {
      this.queue = queue;
    }

    CompletableFuture<Void> begin() {
      timeout = loop.schedule(this::late, queue.rule().limits().waitSeconds(), TimeUnit.SECONDS);
      return done;
    }

    private void late() {
      long millis = (nanoTime.getAsLong() - startNanos) / 1_000_000;
      end(exceeded(queue.rule(), " after waiting for " + millis + " ms"), true);
    }

    @Override
    public void goesOn(boolean hasPlace) {
      loop.execute(() -> begun(hasPlace));
    }

    private void begun(boolean hasPlace) {
      if (waiting == this) {
        stop();
        inside = true;
        place = hasPlace ? queue : null;
        done.complete(null);
      } else if (hasPlace) {
        queue.leave(); // its wait ended before this came
      }
    }

    void end(AlraiException error, boolean tooLong) {
      if (waiting == this) {
        stop();
        queue.withdraw(this, tooLong);
        done.completeExceptionally(error);
      }
    }

    private void stop() {
      waiting = null;
      Future<?> running = timeout;
      if (running != null) {
        running.cancel(false);
      }
    }
  }
}
