package io.alrai.executor.task;

import io.alrai.common.error.AlraiException;
import io.alrai.common.error.ErrorCode;

/** What the analytical executor does not run: error 1235, after which the fallback answers. */
final class NotTaken {
  private NotTaken() {}

  static AlraiException error(String what) {
    return new AlraiException(
        ErrorCode.ER_NOT_SUPPORTED_YET, "The analytical executor does not take " + what);
  }

  /** What needs more memory than the query may have, though it spills: error 1041. */
  static AlraiException pastMemory(String what) {
    return new AlraiException(
        ErrorCode.ER_OUT_OF_RESOURCES, "Out of memory: the query cannot put on disk " + what);
  }
}
