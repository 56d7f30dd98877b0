package io.alrai.executor.operator;

import io.alrai.common.wire.ColumnDefinition;
import java.math.BigDecimal;
import java.math.RoundingMode;

/**
 * Doubles as a mysqld writes them in the text protocol: with a fixed number of decimals where the
 * column has one, else the shortest digits that read back as the same number, in plain notation
 * while the exponent is moderate.
 */
public final class DoubleText {
  /** {@link ColumnDefinition#decimals} of a column without a fixed number of decimals. */
  public static final int NOT_FIXED = 31;

  private static final int LEAST_PLAIN = -14;
  private static final int MOST_PLAIN = 15;

  private DoubleText() {}

  /**
   * The text of a finite number.
   *
   * @param decimals of its column, {@link #NOT_FIXED} or more where there is no fixed number
   */
  public static String of(double value, int decimals) {
    if (decimals < NOT_FIXED) {
      String fixed =
          new BigDecimal(value).setScale(decimals, RoundingMode.HALF_EVEN).toPlainString();
      boolean lostSign = Double.doubleToRawLongBits(value) < 0 && !fixed.startsWith("-");
      return lostSign ? "-" + fixed : fixed;
    }
    if (value == 0) {
      return Double.doubleToRawLongBits(value) < 0 ? "-0" : "0";
    }
    BigDecimal shortest = new BigDecimal(Double.toString(Math.abs(value))).stripTrailingZeros();
    String digits = shortest.unscaledValue().toString();
    int point = digits.length() - shortest.scale();
    String text =
        point >= LEAST_PLAIN && (point <= MOST_PLAIN || digits.length() > point)
            ? shortest.toPlainString()
            : exponential(digits, point - 1);
    return value < 0 ? "-" + text : text;
  }

  private static String exponential(String digits, int exponent) {
    String mantissa = digits.length() == 1 ? digits : digits.charAt(0) + "." + digits.substring(1);
    return mantissa + "e" + exponent;
  }
}
