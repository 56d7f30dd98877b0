package io.alrai.cn.ddl.job;

import io.alrai.common.error.AlraiException;
import io.alrai.common.error.ErrorCode;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Function;
import java.util.function.LongSupplier;

/**
 * How one job's statements wait for metadata locks. A statement that waits on a DN blocks everyone
 * who comes to the table there, and waits for the transactions that have touched it. If statements
 * waited on two DNs at once, two transactions that have each touched one and go to the other would
 * wait for the statements and each other for ever, and no mysqld would see this deadlock. So all
 * places wait at the same time at first, but only briefly. Statements that did not get their lock
 * then try again, one after the other. Each gives up its wait now and then, each time after twice
 * as long: a transaction that it waits for may itself wait, on another DN, for a row of a
 * transaction that the statement blocks. A statement that copies rows before it needs the lock
 * copies them again at each attempt, so it waits at least half as long as the copy took.
 * Thread-safe.
 */
final class DdlLocks {
  /** How long transactions may be blocked on two DNs at once. */
  static final long BRIEF_SECONDS = 3;

  static final String TIMEOUT = "lock_wait_timeout";

  /** The mysqld's {@code lock_wait_timeout}, for sessions that have not set it. */
  private static final long USUAL_SECONDS = 31_536_000;

  private final ReentrantLock lane = new ReentrantLock(true);
  private final LongSupplier nanos;

  /** How many seconds the last refused attempts worked before they waited for their lock. */
  private volatile long worked;

  DdlLocks() {
    this(System::nanoTime);
  }

  DdlLocks(LongSupplier nanos) {
    this.nanos = nanos;
  }

  /**
   * Runs a statement.
   *
   * @param settings the session variables for it
   * @param statement runs it with the given variables, and again after it was refused a lock
   * @throws AlraiException the mysqld's error; 1205 when {@code lock_wait_timeout} has passed
   */
  <T> T locking(Map<String, String> settings, Function<Map<String, String>, T> statement) {
    if (isBrief(settings)) {
      return statement.apply(settings);
    }
    Optional<T> done = attempt(settings, BRIEF_SECONDS, statement);
    if (done.isPresent()) {
      return done.get();
    }
    await();
    try {
      long wait = atLeast(2 * BRIEF_SECONDS);
      long left = seconds(settings);
      while (left > wait) {
        done = attempt(settings, wait, statement);
        if (done.isPresent()) {
          return done.get();
        }
        left -= wait;
        wait = atLeast(2 * wait);
      }
      return statement.apply(waiting(settings, left));
    } finally {
      lane.unlock();
    }
  }

  private long atLeast(long seconds) {
    return Math.max(seconds, worked / 2);
  }

  private void await() {
    try {
      lane.lockInterruptibly();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw AlraiException.interruption(e);
    }
  }

  /** Empty when it was refused a lock. */
  private <T> Optional<T> attempt(
      Map<String, String> settings, long wait, Function<Map<String, String>, T> statement) {
    long begun = nanos.getAsLong();
    try {
      return Optional.of(statement.apply(waiting(settings, wait)));
    } catch (AlraiException e) {
      if (!e.is(ErrorCode.ER_LOCK_WAIT_TIMEOUT)) {
        throw e;
      }
      worked = Math.max(worked, TimeUnit.NANOSECONDS.toSeconds(nanos.getAsLong() - begun) - wait);
      return Optional.empty();
    }
  }

  private static Map<String, String> waiting(Map<String, String> settings, long seconds) {
    Map<String, String> changed = new TreeMap<>(settings);
    changed.put(TIMEOUT, Long.toString(seconds));
    return changed;
  }

  private static long seconds(Map<String, String> settings) {
    String own = settings.getOrDefault(TIMEOUT, "");
    return own.matches("\\d{1,9}") ? Long.parseLong(own) : USUAL_SECONDS;
  }

  private static boolean isBrief(Map<String, String> settings) {
    return seconds(settings) <= BRIEF_SECONDS;
  }
}
