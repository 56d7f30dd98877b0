package io.alrai.columnar.scan;

/**
 * How the values of one vector lie in memory: little-endian, aligned to 64 bytes, as Arrow lays
 * them out. One column may have another storage in each batch, as row groups are stored as narrow
 * as their own values allow; code is generated for the storages that come.
 */
public enum Storage {
  /** Signed, one byte for each row. */
  INT8(1),
  /** Signed. */
  INT16(2),
  /** Signed. */
  INT32(4),
  /** Signed; of an unsigned column with values beyond 2^63, which only this width has, unsigned. */
  INT64(8),
  /** Signed, the low 64 bits first. */
  INT128(16),
  /** IEEE 754. */
  FLOAT32(4),
  /** IEEE 754. */
  FLOAT64(8),
  /**
   * Bytes of any length. The values are rows + 1 ends, INT32: row i is {@code bytes[values[i],
   * values[i+1])}.
   */
  BYTES(4);

  private final int width;

  Storage(int width) {
    this.width = width;
  }

  /** How many bytes the values have for each row; for BYTES those of an end. */
  public int width() {
    return width;
  }

  /** INT8 to INT64. */
  public boolean isLong() {
    return compareTo(INT64) <= 0;
  }

  /** The narrowest of INT8 to INT64 that holds both. */
  public static Storage holding(long min, long max) {
    if (min >= Byte.MIN_VALUE && max <= Byte.MAX_VALUE) {
      return INT8;
    }
    if (min >= Short.MIN_VALUE && max <= Short.MAX_VALUE) {
      return INT16;
    }
    return min >= Integer.MIN_VALUE && max <= Integer.MAX_VALUE ? INT32 : INT64;
  }
}
