package io.alrai.common.metrics;

import java.util.List;
import org.jspecify.annotations.Nullable;

/** Samples as Prometheus reads them: its text format, version 0.0.4. */
final class PrometheusText {
  static final String CONTENT_TYPE = "text/plain; version=0.0.4; charset=utf-8";

  private PrometheusText() {}

  /** The samples must be ordered by metric. */
  static String of(List<Sample> samples) {
    StringBuilder text = new StringBuilder();
    @Nullable Metric last = null;
    for (Sample sample : samples) {
      Metric metric = sample.metric();
      if (metric != last) {
        String type = metric.kind() == Metric.Kind.NOW ? "gauge" : "counter";
        text.append("# HELP ").append(metric.label()).append(' ').append(metric.help());
        text.append("\n# TYPE ").append(metric.label()).append(' ').append(type).append('\n');
        last = metric;
      }
      text.append(metric.label());
      if (!sample.dn().isEmpty()) {
        text.append("{dn=\"").append(sample.dn()).append('"');
        if (!sample.reason().isEmpty()) {
          text.append(",reason=\"").append(sample.reason()).append('"');
        }
        text.append('}');
      }
      text.append(' ').append(sample.text()).append('\n');
    }
    return text.toString();
  }
}
