package io.alrai.cn.routine;

import io.alrai.common.error.AlraiException;

/** Ends a procedure: no handler of it is for the error. */
final class Unhandled extends RuntimeException {
  private static final long serialVersionUID = 1L;

  private final AlraiException error;

  Unhandled(AlraiException error) {
    super(error.sentence(), error, false, false);
    this.error = error;
  }

  AlraiException error() {
    return error;
  }
}
