package io.alrai.cn.statement;

import io.alrai.common.error.AlraiException;

/** Errors of this package. */
public final class ExecuteErrors {
  private ExecuteErrors() {}

  /** 1235 with a sentence. */
  public static AlraiException unsupported(String what) {
    return AlraiException.unsupported(what);
  }
}
