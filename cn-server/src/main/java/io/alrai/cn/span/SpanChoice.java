package io.alrai.cn.span;

import io.alrai.common.error.AlraiException;
import io.alrai.common.error.ErrorCode;
import io.alrai.common.id.NodeId;
import io.alrai.common.metrics.Metric;
import io.alrai.common.metrics.Metrics;
import java.net.URI;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Whether spans are sent, and of which statements.
 *
 * @param endpoint where OTLP by HTTP is taken, such as {@code http://collector:4318/v1/traces};
 *     where it is empty, no spans are made
 * @param ratio of statements that bring no {@code traceparent}, 0 to 1
 */
public record SpanChoice(String endpoint, double ratio) {
  /** The share of statements, where none is chosen. */
  public static final double USUAL_RATIO = 0.01;

  /** None are sent. */
  public static final SpanChoice OFF = new SpanChoice("", USUAL_RATIO);

  /**
   * The choice of two texts.
   *
   * @throws AlraiException with a sentence that says what is wrong
   */
  public static SpanChoice of(String endpoint, String ratio) {
    if (!endpoint.isEmpty() && !isHttp(endpoint)) {
      throw wrong("otlp.endpoint wants a URL such as http://HOST:4318/v1/traces, not " + endpoint);
    }
    double share = USUAL_RATIO;
    try {
      share = ratio.isEmpty() ? USUAL_RATIO : Double.parseDouble(ratio);
    } catch (NumberFormatException e) {
      share = -1;
    }
    if (!(share >= 0 && share <= 1)) {
      throw wrong("otlp.ratio wants a number from 0 to 1, not " + ratio);
    }
    return new SpanChoice(endpoint, share);
  }

  /**
   * What makes spans of a CN's statements; null where none are made. Classes of OpenTelemetry are
   * loaded only where some are.
   *
   * @param parts closes it
   */
  public @Nullable StatementSpans open(
      NodeId node, Metrics metrics, Consumer<AutoCloseable> parts) {
    metrics.adder(Metric.SPANS_SENT);
    metrics.adder(Metric.SPANS_LOST);
    return endpoint.isEmpty() ? null : SpanExport.open(this, node, metrics, parts);
  }

  private static boolean isHttp(String endpoint) {
    try {
      URI uri = URI.create(endpoint);
      String scheme = String.valueOf(uri.getScheme());
      return uri.getHost() != null && (scheme.equals("http") || scheme.equals("https"));
    } catch (IllegalArgumentException e) {
      return false;
    }
  }

  private static AlraiException wrong(String sentence) {
    return new AlraiException(ErrorCode.ER_WRONG_VALUE_FOR_VAR, sentence);
  }
}
