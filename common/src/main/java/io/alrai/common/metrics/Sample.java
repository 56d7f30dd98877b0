package io.alrai.common.metrics;

import java.math.BigDecimal;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A value at a moment.
 *
 * @param labels what it is about: names and values in turn; empty where it is about the process
 * @param suffix of the metric's name, for a part of a distribution
 * @param exemplar one of what a bucket counts; null for none
 */
public record Sample(
    Metric metric,
    List<String> labels,
    String suffix,
    double value,
    Latency.@Nullable Exemplar exemplar) {
  static final String DN = "dn";

  public Sample {
    labels = List.copyOf(labels);
  }

  Sample(Metric metric, List<String> labels, String suffix, double value) {
    this(metric, labels, suffix, value, null);
  }

  /** The DN that it is about; empty where it is about something else. */
  public String dn() {
    return labels.size() > 1 && labels.getFirst().equals(DN) ? labels.get(1) : "";
  }

  /** The value with as many digits as it has, without an exponent. */
  public String text() {
    return text(value);
  }

  static String text(double value) {
    if (Double.isNaN(value)) {
      return "NaN";
    }
    return value == Math.rint(value) && Math.abs(value) < 1e15
        ? Long.toString((long) value)
        : new BigDecimal(Double.toString(value)).stripTrailingZeros().toPlainString();
  }
}
