package io.alrai.common.metrics;

import java.util.List;
import org.jspecify.annotations.Nullable;

/** Samples as Prometheus reads them. */
final class PrometheusText {
  private static final String TOTAL = "_total";
  private static final double MILLIS = 1e3;

  private PrometheusText() {}

  /** What a reader may ask for. */
  enum Format {
    /** Prometheus' own, version 0.0.4. */
    PLAIN("text/plain; version=0.0.4; charset=utf-8"),

    /** OpenMetrics 1.0, which has exemplars. */
    OPEN("application/openmetrics-text; version=1.0.0; charset=utf-8");

    private final String contentType;

    Format(String contentType) {
      this.contentType = contentType;
    }

    String contentType() {
      return contentType;
    }

    /**
     * What is said to a reader.
     *
     * @param accept values of its header; null where it has none
     */
    static Format of(@Nullable List<String> accept) {
      return accept != null
              && accept.stream().anyMatch(value -> value.contains("application/openmetrics-text"))
          ? OPEN
          : PLAIN;
    }
  }

  /** The samples must be ordered by metric. */
  static String of(List<Sample> samples, Format format) {
    StringBuilder text = new StringBuilder();
    @Nullable Metric last = null;
    for (Sample sample : samples) {
      Metric metric = sample.metric();
      if (metric != last) {
        family(text, metric, format);
        last = metric;
      }
      text.append(metric.label()).append(sample.suffix());
      labels(text, sample.labels());
      text.append(' ').append(sample.text());
      if (format == Format.OPEN && sample.exemplar() != null) {
        exemplar(text, sample.exemplar());
      }
      text.append('\n');
    }
    return text.append(format == Format.OPEN ? "# EOF\n" : "").toString();
  }

  /** In OpenMetrics the name of a counter is without what the names of its samples end with. */
  private static void family(StringBuilder text, Metric metric, Format format) {
    String name = metric.label();
    String type = type(metric.kind());
    if (format == Format.OPEN && type.equals("counter")) {
      type = name.endsWith(TOTAL) ? type : "unknown";
      name = name.endsWith(TOTAL) ? name.substring(0, name.length() - TOTAL.length()) : name;
    }
    text.append("# HELP ").append(name).append(' ').append(metric.help());
    text.append("\n# TYPE ").append(name).append(' ').append(type).append('\n');
  }

  private static void exemplar(StringBuilder text, Latency.Exemplar exemplar) {
    text.append(" # {trace_id=\"").append(exemplar.trace()).append("\"} ");
    text.append(Sample.text(exemplar.seconds())).append(' ');
    text.append(Sample.text(exemplar.epochMillis() / MILLIS));
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
