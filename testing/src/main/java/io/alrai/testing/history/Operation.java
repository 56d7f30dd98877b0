package io.alrai.testing.history;

import java.util.List;

/** One step of a transaction. A key is a list or a register, never both. */
public sealed interface Operation {
  /** The value of a register that nobody has written. */
  long INITIAL = Long.MIN_VALUE;

  /** What it touches. */
  long key();

  /** Appends a value to a list; no value is appended or written twice to one key. */
  record Append(long key, long value) implements Operation {}

  /** Writes a register; no value is appended or written twice to one key. */
  record Write(long key, long value) implements Operation {}

  /**
   * Reads a list.
   *
   * @param current whether it is a locking read or another one that sees the newest committed
   *     state, rather than the transaction's snapshot
   */
  record ReadList(long key, List<Long> values, boolean current) implements Operation {
    public ReadList {
      values = List.copyOf(values);
    }
  }

  /**
   * Reads a register.
   *
   * @param value {@link #INITIAL} if nobody has written it
   * @param current as for {@link ReadList}
   */
  record ReadRegister(long key, long value, boolean current) implements Operation {}
}
