package io.alrai.cn.execute;

import io.alrai.executor.fragment.Plan;

/**
 * Runs data statements that are not simply forwarded: several places, or values that must be made
 * first. Called on virtual threads; the statement's transaction, result and session fields
 * (affected rows, LAST_INSERT_ID, FOUND_ROWS) are its business. Thread-safe.
 */
public interface DataExecutor {
  /**
   * Runs a statement to its end.
   *
   * @throws io.alrai.common.error.AlraiException what the client gets as an error
   */
  void run(StatementRun run, Plan plan);
}
