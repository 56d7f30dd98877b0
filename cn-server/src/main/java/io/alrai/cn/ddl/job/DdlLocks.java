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
 * How one job's statements wait for metadata locks. One that waits on a DN holds off whoever comes
 * to the table there, and waits for the transactions that have touched it. Were they to wait on two
 * DNs at once, two transactions that have each touched one and go to the other would wait for them
 * and each other for ever, which no mysqld sees. So a wait is short at first, at all places at the
 * same time; what did not get its lock tries again, one after the other, and lets go at times, each
 * time after twice as long: a transaction that it has waited for may itself wait for a row of one
 * that it held off, on another DN. What copies rows before it needs the lock does so again each
 * time: it waits at least half as long as the copy took. Thread-safe.
 */
final class DdlLocks {
  /** How long the transactions of two DNs may stand still. */
  static final long BRIEF_SECONDS = 3;

  static final String TIMEOUT = "lock_wait_timeout";

  /** mysqld's, where the session has none of its own. */
  private static final long USUAL_SECONDS = 31_536_000;

  private final ReentrantLock lane = new ReentrantLock(true);
  private final LongSupplier nanos;

  /** Seconds that the last refused attempts have worked before they waited for their lock. */
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
   * @param settings the session variables that it is to have
   * @param statement runs it with those that it gets; again when it was refused a lock
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
