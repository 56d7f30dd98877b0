package io.alrai.executor.codegen;

import io.alrai.common.error.AlraiException;
import io.alrai.common.error.ErrorCode;
import io.alrai.executor.fragment.Scalar;

/** What generated code does not do: error 1235, after which the fallback answers the statement. */
final class Refusals {
  private Refusals() {}

  static AlraiException notTaken(String what) {
    return new AlraiException(
        ErrorCode.ER_NOT_SUPPORTED_YET, "The analytical executor does not take " + what);
  }

  static IllegalStateException unbound(Scalar scalar) {
    return new IllegalStateException(scalar + " has no value yet");
  }
}
