package io.alrai.executor.expression;

import io.alrai.common.error.AlraiException;
import io.alrai.common.error.ErrorCode;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.math.RoundingMode;

/**
 * Whole numbers of 128 bits as two longs, low half unsigned: what generated code computes decimals
 * with that do not fit 64 bits. A result beyond 127 bits is refused with 1235, so that the fallback
 * answers the statement.
 */
public final class Wide {
  private static final BigInteger LOW =
      BigInteger.ONE.shiftLeft(Long.SIZE).subtract(BigInteger.ONE);
  private static final long[] POWERS = powers();

  private Wide() {}

  private static long[] powers() {
    long[] powers = new long[19];
    powers[0] = 1;
    for (int i = 1; i < powers.length; i++) {
      powers[i] = powers[i - 1] * 10;
    }
    return powers;
  }

  /** 10 to the power of 0 to 18. */
  public static long power(int exponent) {
    return POWERS[exponent];
  }

  /** The number as a BigInteger. */
  public static BigInteger big(long low, long high) {
    return BigInteger.valueOf(high).shiftLeft(Long.SIZE).or(BigInteger.valueOf(low).and(LOW));
  }

  /** The number as a decimal. */
  public static BigDecimal decimal(long low, long high, int scale) {
    return new BigDecimal(big(low, high), scale);
  }

  private static long highOf(BigInteger value) {
    if (value.bitLength() > 127) {
      throw tooWide();
    }
    return value.shiftRight(Long.SIZE).longValue();
  }

  private static AlraiException tooWide() {
    return new AlraiException(
        ErrorCode.ER_NOT_SUPPORTED_YET,
        "The analytical executor does not take decimals of more than 38 digits");
  }

  /** The high half of a sum. */
  public static long addHigh(long aLow, long aHigh, long bLow, long bHigh) {
    long carry = Long.compareUnsigned(aLow + bLow, aLow) < 0 ? 1 : 0;
    long high = aHigh + bHigh + carry;
    if (((aHigh ^ high) & (bHigh ^ high)) < 0) {
      throw tooWide();
    }
    return high;
  }

  /** The high half of a difference. */
  public static long subtractHigh(long aLow, long aHigh, long bLow, long bHigh) {
    long borrow = Long.compareUnsigned(aLow, bLow) < 0 ? 1 : 0;
    long high = aHigh - bHigh - borrow;
    if (((aHigh ^ bHigh) & (aHigh ^ high)) < 0) {
      throw tooWide();
    }
    return high;
  }

  /** The high half of a product; its low half is the product of the low halves. */
  public static long multiplyHigh(long aLow, long aHigh, long bLow, long bHigh) {
    if (aHigh == aLow >> 63 && bHigh == bLow >> 63) {
      return Math.multiplyHigh(aLow, bLow);
    }
    return highOf(big(aLow, aHigh).multiply(big(bLow, bHigh)));
  }

  /** Below 0, 0 or above 0. */
  public static int compare(long aLow, long aHigh, long bLow, long bHigh) {
    return aHigh != bHigh ? Long.compare(aHigh, bHigh) : Long.compareUnsigned(aLow, bLow);
  }

  /**
   * The low half of {@code a * 10^shift / b}, cut towards 0.
   *
   * @param shift below 0 divides
   */
  public static long divideLow(long aLow, long aHigh, long bLow, long bHigh, int shift) {
    return quotient(aLow, aHigh, bLow, bHigh, shift).longValue();
  }

  /** The high half of the same. */
  public static long divideHigh(long aLow, long aHigh, long bLow, long bHigh, int shift) {
    return highOf(quotient(aLow, aHigh, bLow, bHigh, shift));
  }

  private static BigInteger quotient(long aLow, long aHigh, long bLow, long bHigh, int shift) {
    BigInteger dividend = big(aLow, aHigh);
    BigInteger divisor = big(bLow, bHigh);
    BigInteger factor = BigInteger.TEN.pow(Math.abs(shift));
    return shift >= 0
        ? dividend.multiply(factor).divide(divisor)
        : dividend.divide(divisor.multiply(factor));
  }

  /** The low half of the remainder, which has the dividend's sign. */
  public static long remainderLow(long aLow, long aHigh, long bLow, long bHigh) {
    return big(aLow, aHigh).remainder(big(bLow, bHigh)).longValue();
  }

  /** The high half of the same. */
  public static long remainderHigh(long aLow, long aHigh, long bLow, long bHigh) {
    return highOf(big(aLow, aHigh).remainder(big(bLow, bHigh)));
  }

  /** The low half of {@code a / 10^digits}, half away from 0. */
  public static long roundLow(long low, long high, int digits) {
    return rounded(low, high, digits, RoundingMode.HALF_UP).longValue();
  }

  /** The high half of the same. */
  public static long roundHigh(long low, long high, int digits) {
    return highOf(rounded(low, high, digits, RoundingMode.HALF_UP));
  }

  /** {@code a / 10^digits}, half away from 0. */
  public static long round(long value, int digits) {
    long power = POWERS[digits];
    long quotient = value / power;
    long rest = value - quotient * power;
    return Math.abs(rest) >= power - Math.abs(rest) ? quotient + Long.signum(value) : quotient;
  }

  private static BigInteger rounded(long low, long high, int digits, RoundingMode mode) {
    return decimal(low, high, digits).setScale(0, mode).unscaledValue();
  }

  /** The low half of FLOOR or CEILING of a decimal. */
  public static long floorLow(long low, long high, int scale, boolean up) {
    return rounded(low, high, scale, up ? RoundingMode.CEILING : RoundingMode.FLOOR).longValue();
  }

  /** The high half of the same. */
  public static long floorHigh(long low, long high, int scale, boolean up) {
    return highOf(rounded(low, high, scale, up ? RoundingMode.CEILING : RoundingMode.FLOOR));
  }

  /** The nearest floating point number of a decimal. */
  public static double toDouble(long low, long high, int scale) {
    if (high == low >> 63 && Math.abs(low) < 1L << 53 && low != Long.MIN_VALUE && scale < 19) {
      return (double) low / POWERS[scale];
    }
    return decimal(low, high, scale).doubleValue();
  }

  /** A whole number that must fit 64 bits: else error 1690. */
  public static long narrow(long low, long high) {
    if (high != low >> 63) {
      throw Whole.outOfRange();
    }
    return low;
  }
}
