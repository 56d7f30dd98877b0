package io.alrai.executor.operator;

import io.alrai.common.wire.ColumnDefinition;
import java.math.BigDecimal;
import java.math.MathContext;
import java.math.RoundingMode;

/**
 * Floating point numbers as a mysqld writes them in the text protocol: with a fixed number of
 * decimals where the column has one, else the shortest digits that read back as the same number, in
 * plain notation while the exponent is moderate.
 */
public final class DoubleText {
  /** {@link ColumnDefinition#decimals} of a column without a fixed number of decimals. */
  public static final int NOT_FIXED = 31;

  private static final MathContext FLOAT_DIGITS = new MathContext(6, RoundingMode.HALF_EVEN);
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
    String shortest = Double.toString(Math.abs(value));
    if (shortest.indexOf('E') < 0) {
      String plain = shortest.endsWith(".0") ? withoutPoint(shortest) : shortest;
      return value < 0 ? "-" + plain : plain;
    }
    return moderate(new BigDecimal(shortest), value < 0);
  }

  private static String withoutPoint(String text) {
    return text.substring(0, text.length() - ".0".length());
  }

  /**
   * The text of a finite number of 32 bits: six digits, where the column has no fixed decimals.
   *
   * @param decimals see {@link #of}
   */
  public static String ofFloat(float value, int decimals) {
    return decimals < NOT_FIXED || value == 0
        ? of(value, decimals)
        : moderate(new BigDecimal(Math.abs(value)).round(FLOAT_DIGITS), value < 0);
  }

  /** Plain while the exponent is moderate; not of 0. */
  private static String moderate(BigDecimal value, boolean negative) {
    BigDecimal shortest = value.stripTrailingZeros();
    String digits = shortest.unscaledValue().toString();
    int point = digits.length() - shortest.scale();
    String text =
        point >= LEAST_PLAIN && (point <= MOST_PLAIN || digits.length() > point)
            ? shortest.toPlainString()
            : exponential(digits, point - 1);
    return negative ? "-" + text : text;
  }

  private static String exponential(String digits, int exponent) {
    String mantissa = digits.length() == 1 ? digits : digits.charAt(0) + "." + digits.substring(1);
    return mantissa + "e" + exponent;
  }
}
