package io.alrai.executor.fragment;

import java.io.ByteArrayOutputStream;

/**
 * The values of one execution's slots: literals of the text, and parameters of a prepared
 * statement, numbered together in text order. Implementations read the client's bytes in place; an
 * instance is valid during its execution only and belongs to one thread at a time.
 */
public interface SlotValues {
  /** How a value was written, which decides how it compares with a column. */
  enum Kind {
    /** A whole number without point or exponent, possibly signed. */
    INTEGER,
    /** A number with a point. */
    DECIMAL,
    /** A number with an exponent, or a float or double parameter. */
    FLOAT,
    /** A character string. */
    STRING,
    /** Hexadecimal or bit literals, or a binary parameter. */
    BINARY,
    /** A DATE, DATETIME, TIMESTAMP or TIME parameter of the binary protocol. */
    TEMPORAL,
    /**
     * NULL of a parameter, or the keyword NULL as a whole cell of a row after VALUES (elsewhere the
     * keyword is no slot).
     */
    NULL
  }

  /** Whether parameters have values that a client has bound, in the types of the protocol. */
  default boolean areBound() {
    return false;
  }

  /** Number of slots. */
  int count();

  /** How the slot's value was written. */
  Kind kind(int slot);

  /** The value when {@link Kind#INTEGER} and within signed 64 bits ({@link #fitsLong}). */
  long longValue(int slot);

  /** Whether an INTEGER fits signed 64 bits. */
  boolean fitsLong(int slot);

  /**
   * The value's bytes: the digits of a number, the unescaped content of a string in the
   * connection's character set, the canonical text of a temporal value.
   */
  byte[] bytes(int slot);

  /** Appends the value as it may stand in SQL text, in the connection's character set. */
  void appendSql(int slot, ByteArrayOutputStream out);
}
