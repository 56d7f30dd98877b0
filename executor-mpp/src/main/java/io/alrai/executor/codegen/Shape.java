package io.alrai.executor.codegen;

import io.alrai.executor.fragment.ValueKind;
import io.alrai.executor.vector.RowLayout;
import java.math.BigInteger;

/**
 * How a value of an exact number is computed: its digits after the decimal point and how large it
 * can be. What fits 62 bits is computed in a long without any check.
 *
 * @param scale digits after the decimal point
 * @param bits such that its magnitude, scaled, is below 2^bits; 127 where nothing better is known
 */
record Shape(int scale, int bits) {
  /** Bits of a magnitude that a long certainly holds, with room for a sum. */
  static final int LONG_BITS = 62;

  static final int MOST_BITS = 127;

  private static final int WORD = 9;

  /** The shape of a number with that many decimal digits. */
  static Shape ofDigits(int digits, int scale) {
    return new Shape(scale, Math.min(MOST_BITS, BigInteger.TEN.pow(digits).bitLength()));
  }

  /** The shape of one value. */
  static Shape of(BigInteger scaled, int scale) {
    return new Shape(scale, scaled.abs().bitLength());
  }

  /** The type of a BIGINT. */
  static Shape whole() {
    return new Shape(0, Long.SIZE - 1);
  }

  boolean isLong(ValueKind kind) {
    return bits <= (kind == ValueKind.DECIMAL ? LONG_BITS : Long.SIZE);
  }

  RowLayout.Form form(ValueKind kind) {
    return isLong(kind) ? RowLayout.Form.LONG : RowLayout.Form.WIDE;
  }

  /** This shape with at least that many digits after the decimal point. */
  Shape scaledTo(int target) {
    return target <= scale
        ? this
        : new Shape(
            target, Math.min(MOST_BITS, bits + BigInteger.TEN.pow(target - scale).bitLength()));
  }

  /** This shape rounded to fewer digits after the decimal point. */
  Shape roundedTo(int target) {
    return target >= scale ? scaledTo(target) : new Shape(target, bits);
  }

  static Shape sum(Shape one, Shape other) {
    int scale = Math.max(one.scale, other.scale);
    int most = Math.max(one.scaledTo(scale).bits, other.scaledTo(scale).bits);
    return new Shape(scale, Math.min(MOST_BITS, most + 1));
  }

  static Shape either(Shape one, Shape other) {
    int scale = Math.max(one.scale, other.scale);
    return new Shape(scale, Math.max(one.scaledTo(scale).bits, other.scaledTo(scale).bits));
  }

  static Shape product(Shape one, Shape other) {
    return new Shape(one.scale + other.scale, Math.min(MOST_BITS, one.bits + other.bits));
  }

  /**
   * MySQL divides in words of nine digits and cuts what is left; then it rounds to the digits of
   * the type.
   *
   * @param increment div_precision_increment
   */
  static Shape quotient(Shape one, Shape other, int increment) {
    int words = words(one.scale) + words(other.scale);
    int slack = words * WORD - one.scale - other.scale;
    int scale = words(words * WORD + Math.max(0, increment - slack)) * WORD;
    return new Shape(scale, MOST_BITS);
  }

  private static int words(int digits) {
    return (digits + WORD - 1) / WORD;
  }
}
