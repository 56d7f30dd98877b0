package io.alrai.cn.turn;

import io.alrai.cn.turn.PlaceQueue.Answer;
import io.alrai.common.error.AlraiException;
import io.netty.channel.EventLoop;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * One session's place in one of several queues: that of its statement at work. Event loop only.
 *
 * <pre>
 *   NONE -> (enters) -> INSIDE -> (leave) -> NONE
 *   NONE -> (enters) -> WAITING -> (a place, or the queue is gone) -> INSIDE
 *                       WAITING -> (time, KILL, the client leaves) -> NONE
 * </pre>
 */
public final class SessionTurn {
  private final EventLoop loop;
  private final LongSupplier nanoTime;

  /** The statement may run, with a place or without. */
  private boolean inside;

  private @Nullable Wait place;
  private @Nullable Wait waiting;

  /** The turn of a session on this loop. */
  public SessionTurn(EventLoop loop, LongSupplier nanoTime) {
    this.loop = loop;
    this.nanoTime = nanoTime;
  }

  /** Whether its statement has been let in. */
  public boolean isInside() {
    return inside;
  }

  /** Its statement needs no place: that is found out once, however often it is planned. */
  public void free() {
    inside = true;
  }

  /**
   * Whether a statement that is not inside may begin at once. One that may not has queued: {@link
   * #await} comes next.
   *
   * @throws AlraiException where there is no room in the queue
   */
  public boolean enters(PlaceQueue queue) {
    Wait wait = new Wait(queue);
    Answer answer = queue.enter(wait);
    switch (answer) {
      case RUNS -> place = wait;
      case FREE -> {}
      case WAITS -> {
        waiting = wait;
        return false;
      }
      case REFUSED -> throw queue.refusal(-1);
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
    return wait == null ? "" : wait.queue.state();
  }

  /**
   * Completes as soon as the statement that has queued may begin; fails with the queue's error
   * after its time, and with 1317 by KILL.
   */
  public CompletableFuture<Void> await() {
    Wait wait = waiting;
    return wait == null ? CompletableFuture.completedFuture(null) : wait.begin();
  }

  /** Its statement has ended: gives its place back; without effect where it has none. */
  public void leave() {
    if (inside) {
      inside = false;
      Wait left = place;
      place = null;
      if (left != null) {
        left.queue.leave(left);
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

  /** A statement that waits, or has its place. */
  private final class Wait implements PlaceQueue.Waiter {
    private final PlaceQueue queue;
    private @Nullable CompletableFuture<Void> done;
    private long startNanos;
    private @Nullable Future<?> timeout;

    Wait(PlaceQueue queue) {
      this.queue = queue;
    }

    CompletableFuture<Void> begin() {
      CompletableFuture<Void> begun = new CompletableFuture<>();
      done = begun;
      startNanos = nanoTime.getAsLong();
      timeout = loop.schedule(this::late, queue.waitMillis(), TimeUnit.MILLISECONDS);
      return begun;
    }

    private void late() {
      long millis = (nanoTime.getAsLong() - startNanos) / 1_000_000;
      end(queue.refusal(millis), true);
    }

    @Override
    public void goesOn(boolean hasPlace) {
      loop.execute(() -> begun(hasPlace));
    }

    private void begun(boolean hasPlace) {
      if (waiting == this) {
        stop();
        inside = true;
        place = hasPlace ? this : null;
        if (done != null) {
          done.complete(null);
        }
      } else if (hasPlace) {
        queue.leave(this); // its wait ended before this came
      }
    }

    void end(AlraiException error, boolean tooLong) {
      if (waiting == this) {
        stop();
        queue.withdraw(this, tooLong);
        if (done != null) {
          done.completeExceptionally(error);
        }
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
