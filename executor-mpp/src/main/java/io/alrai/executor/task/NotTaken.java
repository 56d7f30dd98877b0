package io.alrai.executor.task;

import io.alrai.common.error.AlraiException;
import io.alrai.common.error.ErrorCode;

/** The error for what the analytical executor does not run, 1235: the fallback answers then. */
final class NotTaken {
  private NotTaken() {}

  static AlraiException error(String what) {
    return new AlraiException(
        ErrorCode.ER_NOT_SUPPORTED_YET, "The analytical executor does not take " + what);
  }

  /** The error of a query that spills and still needs more memory than it may have, 1041. */
  static AlraiException pastMemory(String what) {
    return new AlraiException(
        ErrorCode.ER_OUT_OF_RESOURCES, "Out of memory: the query cannot put on disk " + what);
  }
}
