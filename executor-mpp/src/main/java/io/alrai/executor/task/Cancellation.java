package io.alrai.executor.task;

import io.alrai.common.error.AlraiException;
import io.alrai.common.error.ErrorCode;

/** Whether a query is to end early. Any thread. */
public final class Cancellation {
  private volatile boolean cancelled;

  /** Ends the query: its tasks stop within a few milliseconds. */
  public void cancel() {
    cancelled = true;
  }

  /**
   * Goes on unless the query is to end.
   *
   * @throws AlraiException 1317
   */
  public void check() {
    if (cancelled) {
      throw new AlraiException(ErrorCode.ER_QUERY_INTERRUPTED, "Query execution was interrupted");
    }
  }
}
