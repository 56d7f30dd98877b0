package io.alrai.common.metrics;

import java.math.BigDecimal;

/**
 * A value at a moment.
 *
 * @param dn the DN; empty for a value of the process
 * @param reason why it was counted; empty where reasons are not distinguished
 */
public record Sample(Metric metric, String dn, String reason, double value) {
  /** The value with all its digits, without an exponent. */
  public String text() {
    return text(value);
  }

  static String text(double value) {
    return value == Math.rint(value) && Math.abs(value) < 1e15
        ? Long.toString((long) value)
        : new BigDecimal(Double.toString(value)).stripTrailingZeros().toPlainString();
  }
}
