package io.alrai.optimizer.api.text;

import io.alrai.executor.fragment.SlotValues.Kind;
import java.io.ByteArrayOutputStream;

/**
 * The parameters of one execution of a prepared statement, numbered from 0 in text order. Same
 * contract as {@link io.alrai.executor.fragment.SlotValues}.
 */
public interface ParameterSource {
  /** For statements of the text protocol. */
  ParameterSource NONE = new NoParameters();

  /** Whether they are what a client has bound, in the types of the protocol. */
  default boolean areBound() {
    return false;
  }

  /** The type that the value was sent with. */
  Kind kind(int parameter);

  /** Whether an INTEGER fits signed 64 bits. */
  boolean fitsLong(int parameter);

  /** The value of an INTEGER that fits. */
  long longValue(int parameter);

  /** The value's bytes, see {@link io.alrai.executor.fragment.SlotValues#bytes}. */
  byte[] bytes(int parameter);

  /**
   * Appends an SQL literal of the same type and value: {@link StringContent} has the quoting for
   * strings and bytes.
   */
  void appendSql(int parameter, ByteArrayOutputStream out);
}
