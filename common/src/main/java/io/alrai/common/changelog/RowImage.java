package io.alrai.common.changelog;

import java.util.Arrays;
import java.util.BitSet;

/**
 * All values of one row, by the ordinals of the table's columns. Filled once by one thread, then
 * read by any.
 *
 * <pre>
 *  whole numbers, YEAR, BIT, ENUM, SET   the number; BIGINT UNSIGNED its 64 bits
 *  DECIMAL up to 18 digits               the value times 10^scale
 *  DECIMAL beyond                        16 bytes, two's complement, lowest first, times 10^scale
 *  FLOAT, DOUBLE                         the raw bits
 *  DATE                                  days since 1970-01-01
 *  DATETIME, TIMESTAMP, TIME             microseconds; TIMESTAMP's are UTC
 *  text, JSON                            UTF-8
 *  all other                             bytes
 * </pre>
 */
public final class RowImage {
  private static final byte[] NONE = {};

  private final long[] numbers;
  private final byte[][] bytes;
  private final BitSet nulls = new BitSet();

  /** A row of NULLs. */
  public RowImage(int columns) {
    numbers = new long[columns];
    bytes = new byte[columns][];
    Arrays.fill(bytes, NONE);
    nulls.set(0, columns);
  }

  /** How many values it has. */
  public int columns() {
    return numbers.length;
  }

  /** Sets a value that is a number. */
  public RowImage put(int ordinal, long number) {
    numbers[ordinal] = number;
    nulls.clear(ordinal);
    return this;
  }

  /** Sets a value that is bytes; not copied. */
  public RowImage put(int ordinal, byte[] value) {
    bytes[ordinal] = value;
    nulls.clear(ordinal);
    return this;
  }

  /** Whether there is no value. */
  public boolean isNull(int ordinal) {
    return nulls.get(ordinal);
  }

  /** The number; 0 of a NULL. */
  public long number(int ordinal) {
    return numbers[ordinal];
  }

  /** The bytes, not to be changed; none of a NULL. */
  public byte[] bytes(int ordinal) {
    return bytes[ordinal];
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof RowImage row
        && nulls.equals(row.nulls)
        && Arrays.equals(numbers, row.numbers)
        && Arrays.deepEquals(bytes, row.bytes);
  }

  @Override
  public int hashCode() {
    return Arrays.hashCode(numbers) * 31 + Arrays.deepHashCode(bytes);
  }

  @Override
  public String toString() {
    StringBuilder out = new StringBuilder("(");
    for (int i = 0; i < numbers.length; i++) {
      out.append(i == 0 ? "" : ", ");
      if (isNull(i)) {
        out.append("NULL");
      } else if (bytes[i].length > 0) {
        out.append(bytes[i].length).append(" bytes");
      } else {
        out.append(numbers[i]);
      }
    }
    return out.append(')').toString();
  }
}
