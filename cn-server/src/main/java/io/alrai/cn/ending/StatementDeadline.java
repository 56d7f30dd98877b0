package io.alrai.cn.ending;

import io.alrai.common.error.AlraiException;
import io.alrai.common.error.ErrorCode;
import io.netty.channel.EventLoop;
import io.netty.util.concurrent.ScheduledFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.LongAdder;
import org.jspecify.annotations.Nullable;

/**
 * The time that a client's statement has: one clock for all that it does and waits for. One for
 * each client, used for one statement after the other. Event loop only, unless said otherwise.
 *
 * <p>A statement that ends in time costs two reads of the clock at most: the timer of an earlier
 * one stays, and looks when it comes whether the statement of that moment has time left.
 */
public final class StatementDeadline {
  private static final String TIME_IS_OVER =
      "Query execution was interrupted, maximum statement execution time exceeded";

  /** How often it is tried to end a statement of which nothing could be ended yet. */
  private static final long TRY_MILLIS = 5;

  /** And one that was killed and goes on. */
  private static final long LATE_MILLIS = 100;

  /** Then it is killed again: it may have begun something else meanwhile. */
  private static final long AGAIN_MILLIS = 1_000;

  /** What ends the statement at work. */
  public interface Work {
    /** For how long a mysqld may leave a KILL unanswered, in milliseconds. */
    long patienceMillis();

    /**
     * Kills what runs.
     *
     * @param patienceMillis then connections are closed whose mysqlds have not answered
     * @return whether there was something
     */
    boolean kill(long patienceMillis);

    /**
     * Ends the waits of what has not begun; is called again while it goes on.
     *
     * @param views whether waits for views end, too, whose connections are closed then
     */
    void giveUp(AlraiException reason, boolean views);

    /** Whether a connection that is lost is no more than the end of the statement. */
    boolean mayLoseConnections();
  }

  private final EventLoop loop;
  private final Work work;
  private final LongAdder timeouts;

  /** Whether the statement at work has a deadline. */
  private boolean bound;

  private long deadlineNanos;
  private volatile boolean passed;
  private @Nullable ScheduledFuture<?> timer;
  private long timerNanos;
  private boolean killed;
  private long killedNanos;

  /**
   * The deadline of a client's statements.
   *
   * @param timeouts counts those that it ends
   */
  public StatementDeadline(EventLoop loop, Work work, LongAdder timeouts) {
    this.loop = loop;
    this.work = work;
    this.timeouts = timeouts;
  }

  /** The statement that begins has so much time; it counts from now. */
  public void begins(long millis) {
    over();
    killed = false;
    bound = true;
    deadlineNanos = nanoTime() + TimeUnit.MILLISECONDS.toNanos(millis);
    if (timer == null || timerNanos - deadlineNanos > 0) {
      cancelTimer();
      lookAt(deadlineNanos);
    }
  }

  /** The statement at work has ended, or there is none. */
  public void over() {
    if (bound) {
      bound = false;
      killed = false;
      if (passed) {
        passed = false;
        cancelTimer();
      }
    }
  }

  /** The client has left. */
  public void gone() {
    over();
    cancelTimer();
  }

  /** Whether the statement at work has had its time. Any thread. */
  public boolean passed() {
    return passed;
  }

  /** The client's form of an error of the statement at work. The session's thread. */
  public AlraiException told(AlraiException error) {
    if (!passed) {
      return error;
    }
    boolean ended =
        error.is(ErrorCode.ER_QUERY_INTERRUPTED)
            || error.isLostConnection() && work.mayLoseConnections();
    if (!ended) {
      return error;
    }
    timeouts.increment();
    return new AlraiException(ErrorCode.ER_QUERY_TIMEOUT, TIME_IS_OVER, error);
  }

  private long nanoTime() {
    return loop.ticker().nanoTime();
  }

  private void lookAt(long nanos) {
    timerNanos = nanos;
    timer = loop.schedule(this::look, Math.max(0, nanos - nanoTime()), TimeUnit.NANOSECONDS);
  }

  private void cancelTimer() {
    ScheduledFuture<?> set = timer;
    timer = null;
    if (set != null) {
      set.cancel(false);
    }
  }

  private void look() {
    timer = null;
    if (!bound) {
      return;
    }
    long now = nanoTime();
    if (now - deadlineNanos < 0) {
      lookAt(deadlineNanos);
      return;
    }
    passed = true;
    long patience = work.patienceMillis();
    boolean again =
        killed
            && now - killedNanos >= TimeUnit.MILLISECONDS.toNanos(Math.max(AGAIN_MILLIS, patience));
    if (!killed || again) {
      boolean found = work.kill(patience);
      if (!passed) {
        return; // that has ended it, and another one may be at work
      }
      killed = found;
      killedNanos = now;
    }
    boolean late = now - deadlineNanos >= TimeUnit.MILLISECONDS.toNanos(patience);
    work.giveUp(AlraiException.interruption(), late);
    if (passed) {
      lookAt(now + TimeUnit.MILLISECONDS.toNanos(killed && late ? LATE_MILLIS : TRY_MILLIS));
    }
  }
}
