package io.alrai.cn.ddl;

import io.alrai.common.error.AlraiException;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/**
 * When a job is given up whose steps back fail each time by what they are, not by the state of the
 * cluster: it would keep its objects locked for ever. Thread-safe.
 */
final class Abandoning {
  /** The recovery tries every few seconds: about a minute. */
  static final int MOST = 12;

  private final Map<Long, Integer> failures = new ConcurrentHashMap<>();

  /** A step failed. */
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
   * Errors of syntax, names and access (SQLSTATE 42), and what this version does not support (0A,
   * or 42). Loss of connections, locks, room and interrupts pass.
   */
  private static boolean lasts(RuntimeException error) {
    return error instanceof AlraiException known
        && (known.sqlState().startsWith("42") || known.sqlState().startsWith("0A"));
  }
}
