package io.alrai.executor.expression;

import io.alrai.common.error.AlraiException;
import io.alrai.common.error.ErrorCode;

/** Arithmetic of BIGINT and DOUBLE: a result out of range is error 1690. */
public final class Whole {
  /** The hash of NULL among the keys of a group or a join, whatever their type. */
  public static final long HASH_OF_NULL = 0x5bd1e995;

  private Whole() {}

  /** The error of a result out of range. */
  public static AlraiException outOfRange() {
    return new AlraiException(ErrorCode.ER_DATA_OUT_OF_RANGE, "BIGINT value is out of range");
  }

  /** {@code a + b}. */
  public static long add(long a, long b) {
    long sum = a + b;
    if (((a ^ sum) & (b ^ sum)) < 0) {
      throw outOfRange();
    }
    return sum;
  }

  /** {@code a - b}. */
  public static long subtract(long a, long b) {
    long difference = a - b;
    if (((a ^ b) & (a ^ difference)) < 0) {
      throw outOfRange();
    }
    return difference;
  }

  /** {@code a * b}. */
  public static long multiply(long a, long b) {
    long product = a * b;
    if (Math.multiplyHigh(a, b) != product >> 63) {
      throw outOfRange();
    }
    return product;
  }

  /** {@code a DIV b} for b other than 0. MySQL has no room for the lowest number as a quotient. */
  public static long divide(long a, long b) {
    if (a == Long.MIN_VALUE && (b == -1 || b == 1)) {
      throw outOfRange();
    }
    return a / b;
  }

  /**
   * Refuses a floating point value that is not a number.
   *
   * @param missing other than 0 where it stands for NULL
   */
  public static void checkFinite(double value, int missing) {
    if (missing == 0 && !Double.isFinite(value)) {
      throw new AlraiException(ErrorCode.ER_DATA_OUT_OF_RANGE, "DOUBLE value is out of range");
    }
  }

  /** FLOOR or CEILING of a scaled number. */
  public static long floor(long value, int scale, boolean up) {
    long power = Wide.power(scale);
    return up ? -Math.floorDiv(-value, power) : Math.floorDiv(value, power);
  }

  /** Spreads the bits of a key. */
  public static long hash(long value) {
    long mixed = value * 0x9E3779B97F4A7C15L;
    mixed = (mixed ^ mixed >>> 32) * 0xD6E8FEB86659FD93L;
    return mixed ^ mixed >>> 32;
  }

  /** The hash of several keys, one after the other. */
  public static long combine(long hash, long next) {
    return Long.rotateLeft(hash * 0x9E3779B97F4A7C15L, 23) ^ next;
  }
}
