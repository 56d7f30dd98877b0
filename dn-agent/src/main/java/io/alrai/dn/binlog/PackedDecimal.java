package io.alrai.dn.binlog;

import io.netty.buffer.ByteBuf;
import java.math.BigInteger;

/**
 * MySQL's binary decimals (strings/decimal.cc, decimal2bin): groups of nine digits in four bytes,
 * highest first, a shorter group at both ends; the first bit is inverted, and all of a negative
 * one.
 */
final class PackedDecimal {
  private static final int GROUP = 9;
  private static final int[] BYTES = {0, 1, 1, 2, 2, 3, 3, 4, 4, 4};

  private PackedDecimal() {}

  /** The value times 10^scale. */
  static BigInteger read(ByteBuf in, int precision, int scale) {
    int whole = precision - scale;
    int length = length(precision, scale);
    byte[] packed = new byte[length];
    in.readBytes(packed);
    boolean negative = (packed[0] & 0x80) == 0;
    packed[0] ^= (byte) 0x80;
    if (negative) {
      for (int i = 0; i < length; i++) {
        packed[i] = (byte) ~packed[i];
      }
    }
    BigInteger value = BigInteger.ZERO;
    int at = 0;
    for (int left = whole; left > 0; ) {
      int digits = left % GROUP == 0 ? GROUP : left % GROUP;
      value = append(value, packed, at, digits);
      at += BYTES[digits];
      left -= digits;
    }
    for (int left = scale; left > 0; ) {
      int digits = Math.min(left, GROUP);
      value = append(value, packed, at, digits);
      at += BYTES[digits];
      left -= digits;
    }
    return negative ? value.negate() : value;
  }

  /** How many bytes it takes. */
  static int length(int precision, int scale) {
    return length(precision - scale) + length(scale);
  }

  private static int length(int digits) {
    return digits / GROUP * 4 + BYTES[digits % GROUP];
  }

  private static BigInteger append(BigInteger value, byte[] packed, int at, int digits) {
    long group = 0;
    for (int i = 0; i < BYTES[digits]; i++) {
      group = group << 8 | packed[at + i] & 0xff;
    }
    return value.multiply(BigInteger.TEN.pow(digits)).add(BigInteger.valueOf(group));
  }
}
