package io.alrai.common.time;

/**
 * A timestamp of the hybrid logical clock (PolarDB-X, section IV):
 *
 * <pre>
 *  63 62 61                                      16 15              0
 * +-----+------------------------------------------+-----------------+
 * |  0  | milliseconds since 1970 (46 bits)        | logical         |
 * +-----+------------------------------------------+-----------------+
 * </pre>
 *
 * @param value the 64 bits; never negative
 */
public record HlcTimestamp(long value) implements Comparable<HlcTimestamp> {
  /** Width of the logical part. */
  public static final int LOGICAL_BITS = 16;

  /** Before everything. */
  public static final HlcTimestamp ZERO = new HlcTimestamp(0);

  /**
   * Checks the reserved bits.
   *
   * @throws IllegalArgumentException when one of them is set
   */
  public HlcTimestamp {
    if (value >>> 62 != 0) {
      throw new IllegalArgumentException("reserved bits set: " + Long.toHexString(value));
    }
  }

  /** The first timestamp of a millisecond since 1970. */
  public static HlcTimestamp ofMillis(long millis) {
    return new HlcTimestamp(millis << LOGICAL_BITS);
  }

  /** The physical part, milliseconds since 1970. */
  public long millis() {
    return value >>> LOGICAL_BITS;
  }

  /** The logical part, 0 to 65535. */
  public int logical() {
    return (int) (value & 0xFFFF);
  }

  @Override
  public int compareTo(HlcTimestamp other) {
    return Long.compare(value, other.value);
  }

  @Override
  public String toString() {
    return millis() + "." + logical();
  }
}
