package io.alrai.cn.ddl;

import io.alrai.common.error.AlraiException;
import io.alrai.common.error.ErrorCode;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Function;

/**
 * How one job's statements wait for metadata locks. One that waits on a DN holds off whoever comes
 * to the table there, and waits for the transactions that have touched it. Were they to wait on two
 * DNs at once, two transactions that have each touched one and go to the other would wait for them
 * and each other for ever, which no mysqld sees. So a wait is short at first, on all DNs at the
 * same time; what did not get its lock tries again, one DN after the other. Thread-safe.
 */
final class DdlLocks {
  /** So long the transactions of two DNs may stand still. */
  static final long BRIEF_SECONDS = 3;

  private static final String TIMEOUT = "lock_wait_timeout";

  private final ReentrantLock lane = new ReentrantLock(true);

  /**
   * Runs a statement.
   *
   * @param settings the session variables that it is to have
   * @param statement runs it with those that it gets; a second time when it was refused a lock
   * @throws AlraiException the mysqld's error; 1205 when {@code lock_wait_timeout} is over
   */
  <T> T locking(Map<String, String> settings, Function<Map<String, String>, T> statement) {
    if (isBrief(settings)) {
      return statement.apply(settings);
    }
    Map<String, String> brief = new TreeMap<>(settings);
    brief.put(TIMEOUT, Long.toString(BRIEF_SECONDS));
    try {
      return statement.apply(brief);
    } catch (AlraiException e) {
      if (e.errno() != ErrorCode.ER_LOCK_WAIT_TIMEOUT.errno()) {
        throw e;
      }
    }
    lane.lock();
    try {
      return statement.apply(settings);
    } finally {
      lane.unlock();
    }
  }

  private static boolean isBrief(Map<String, String> settings) {
    String own = settings.getOrDefault(TIMEOUT, "");
    return own.matches("\\d{1,9}") && Long.parseLong(own) <= BRIEF_SECONDS;
  }
}
