package io.alrai.common.metrics;

import java.math.BigDecimal;

/**
 * A value at a moment.
 *
 * @param dn the DN that it is about; empty where it is about the process
 * @param reason why it was counted; empty where reasons are not distinguished
 */
public record Sample(Metric metric, String dn, String reason, double value) {
  /** The value with as many digits as it has, without an exponent. */
  public String text() {
    return text(value);
  }

  static String text(double value) {
    return value == Math.rint(value) && Math.abs(value) < 1e15
        ? Long.toString((long) value)
        : new BigDecimal(Double.toString(value)).stripTrailingZeros().toPlainString();
  }
}
