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
        text.append("# HELP ").append(metric.label()).append(' ').append(metric.help());
        text.append("\n# TYPE ")
            .append(metric.label())
            .append(' ')
            .append(type(metric.kind()))
            .append('\n');
        last = metric;
      }
      text.append(metric.label()).append(sample.suffix());
      labels(text, sample.labels());
      text.append(' ').append(sample.text()).append('\n');
    }
    return text.toString();
  }

  private static String type(Metric.Kind kind) {
    return switch (kind) {
      case COUNT, SECONDS -> "counter";
      case NOW -> "gauge";
      case LATENCY -> "histogram";
    };
  }

  private static void labels(StringBuilder text, List<String> labels) {
    for (int i = 0; i < labels.size(); i += 2) {
      text.append(i == 0 ? '{' : ',').append(labels.get(i)).append("=\"");
      text.append(
          labels.get(i + 1).replace("\\", "\\\\").replace("\"", "\\\"").replace("\n", "\\n"));
      text.append('"');
    }
    if (!labels.isEmpty()) {
      text.append('}');
    }
  }
}
