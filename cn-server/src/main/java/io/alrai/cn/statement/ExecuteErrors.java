package io.alrai.cn.statement;

import io.alrai.common.error.AlraiException;
import io.alrai.common.error.ErrorCode;

/** Errors of this package. */
public final class ExecuteErrors {
  private ExecuteErrors() {}

  /** 1235 with a sentence. */
  public static AlraiException unsupported(String what) {
    return AlraiException.unsupported(what);
  }

  /** Whether the mysqld has rolled its whole branch back. */
  public static boolean losesTransaction(AlraiException error) {
    return error.is(ErrorCode.ER_LOCK_DEADLOCK) || error.isLostConnection();
  }
}
