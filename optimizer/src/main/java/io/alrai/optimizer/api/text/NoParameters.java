package io.alrai.optimizer.api.text;

import io.alrai.common.error.AlraiException;
import io.alrai.common.error.ErrorCode;
import io.alrai.executor.fragment.SlotValues.Kind;
import java.io.ByteArrayOutputStream;

/** A statement in the text protocol: a {@code ?} in it is a syntax error. */
final class NoParameters implements ParameterSource {
  @Override
  public Kind kind(int parameter) {
    throw noValue();
  }

  @Override
  public boolean fitsLong(int parameter) {
    throw noValue();
  }

  @Override
  public long longValue(int parameter) {
    throw noValue();
  }

  @Override
  public byte[] bytes(int parameter) {
    throw noValue();
  }

  @Override
  public void appendSql(int parameter, ByteArrayOutputStream out) {
    throw noValue();
  }

  private static AlraiException noValue() {
    return new AlraiException(ErrorCode.ER_PARSE_ERROR, SyntaxError.sentence("?", 1));
  }
}
