package io.alrai.cn.ddl;

import io.alrai.common.error.AlraiException;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Decides when to give up a job that cannot be rolled back because its steps themselves are wrong,
 * whatever the state of the cluster: it would keep its objects locked for ever. Thread-safe.
 */
final class Abandoning {
  /**
   * How many failures are the most. The recovery tries every few seconds, so this is about a
   * minute.
   */
  static final int MOST = 12;

  private final Map<Long, Integer> failures = new ConcurrentHashMap<>();

  /** Records that a step failed. Returns whether the job is to be given up. */
  boolean isDue(long job, RuntimeException error) {
    if (!lasts(error)) {
      return false;
    }
    if (failures.merge(job, 1, Integer::sum) < MOST) {
      return false;
    }
    failures.remove(job);
    return true;
  }

  /**
   * Errors of syntax, names and access (SQLSTATE 42) last, and so does what this version does not
   * support (0A, or 42). Lost connections, locks, lack of space and interrupts pass.
   */
  private static boolean lasts(RuntimeException error) {
    return error instanceof AlraiException known
        && (known.sqlState().startsWith("42") || known.sqlState().startsWith("0A"));
  }
}
