package io.alrai.executor.operator;

import java.math.BigDecimal;
import java.math.RoundingMode;

/**
 * A sum divided by a count as a mysqld does it with its div_precision_increment: the quotient is
 * cut off at a whole number of 9-digit words, then rounded half up to the result's scale. (MySQL
 * manual, "Precision Math"; the words show in AVG of a scale of 5, which is cut, not rounded.)
 */
final class Division {
  private static final int WORD_DIGITS = 9;
  private static final int MAX_SCALE = 30;

  private Division() {}

  /** The scale of the quotient. */
  static int scale(int sumScale, int increment) {
    return Math.min(sumScale + increment, MAX_SCALE);
  }

  /** The decimals of a floating point quotient. */
  static int decimals(int sumDecimals, int increment) {
    return sumDecimals >= DoubleText.NOT_FIXED
        ? DoubleText.NOT_FIXED
        : Math.min(sumDecimals + increment, MAX_SCALE);
  }

  /** The quotient. */
  static BigDecimal quotient(BigDecimal sum, long count, int digits) {
    int sumScale = sum.scale();
    int padded = wholeWords(sumScale);
    int increment = Math.max(0, digits - (padded - sumScale));
    return sum.divide(BigDecimal.valueOf(count), wholeWords(padded + increment), RoundingMode.DOWN)
        .setScale(scale(sumScale, digits), RoundingMode.HALF_UP);
  }

  private static int wholeWords(int digits) {
    return (digits + WORD_DIGITS - 1) / WORD_DIGITS * WORD_DIGITS;
  }
}
