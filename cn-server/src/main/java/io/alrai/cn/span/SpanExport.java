package io.alrai.cn.span;

import io.alrai.cn.span.EndedStatement.EndedStep;
import io.alrai.cn.trace.TraceStep;
import io.alrai.common.id.NodeId;
import io.alrai.common.metrics.Metric;
import io.alrai.common.metrics.Metrics;
import io.opentelemetry.api.common.AttributeKey;
import io.opentelemetry.api.common.Attributes;
import io.opentelemetry.api.trace.Span;
import io.opentelemetry.api.trace.SpanBuilder;
import io.opentelemetry.api.trace.SpanContext;
import io.opentelemetry.api.trace.SpanKind;
import io.opentelemetry.api.trace.StatusCode;
import io.opentelemetry.api.trace.TraceFlags;
import io.opentelemetry.api.trace.TraceState;
import io.opentelemetry.api.trace.Tracer;
import io.opentelemetry.context.Context;
import io.opentelemetry.exporter.otlp.http.trace.OtlpHttpSpanExporter;
import io.opentelemetry.sdk.resources.Resource;
import io.opentelemetry.sdk.trace.SdkTracerProvider;
import io.opentelemetry.sdk.trace.export.SpanExporter;
import io.opentelemetry.sdk.trace.samplers.Sampler;
import java.time.Duration;
import java.util.Locale;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.LongSupplier;
import java.util.logging.Level;
import java.util.logging.Logger;
import org.jspecify.annotations.Nullable;

/**
 * Makes OpenTelemetry's spans of ended statements: one for the statement, and one below it for each
 * thing that a DN was asked. Its classes are loaded only where spans are sent. Thread-safe.
 */
final class SpanExport implements Function<EndedStatement, String>, AutoCloseable {
  private static final Duration MOST_SECONDS = Duration.ofSeconds(5);

  /** The SDK's own log of failures, which has a line for each; kept, as loggers are weakly held. */
  private static final Logger SDK_LOG = Logger.getLogger("io.opentelemetry.exporter");

  private static final AttributeKey<String> SYSTEM = AttributeKey.stringKey("db.system.name");
  private static final AttributeKey<String> NAMESPACE = AttributeKey.stringKey("db.namespace");
  private static final AttributeKey<String> TEXT = AttributeKey.stringKey("db.query.text");
  private static final AttributeKey<String> ERROR =
      AttributeKey.stringKey("db.response.status_code");
  private static final AttributeKey<Long> ROWS = AttributeKey.longKey("db.response.returned_rows");
  private static final AttributeKey<String> USER = AttributeKey.stringKey("user.name");
  private static final AttributeKey<String> PATH = AttributeKey.stringKey("alrai.path");
  private static final AttributeKey<String> DN = AttributeKey.stringKey("alrai.dn");
  private static final AttributeKey<Long> WAIT = AttributeKey.longKey("alrai.wait_us");
  private static final AttributeKey<Long> BYTES = AttributeKey.longKey("alrai.bytes");

  private final SdkTracerProvider provider;
  private final Tracer tracer;

  /** An export that gives its spans to an exporter. */
  SpanExport(SpanExporter exporter, String to, NodeId node, Metrics metrics, LongSupplier nanos) {
    SpanQueue queue =
        new SpanQueue(
            exporter,
            to,
            metrics.adder(Metric.SPANS_SENT),
            metrics.adder(Metric.SPANS_LOST),
            nanos);
    this.provider =
        SdkTracerProvider.builder()
            .setSampler(Sampler.alwaysOn())
            .setResource(
                Resource.create(
                    Attributes.of(
                        AttributeKey.stringKey("service.name"),
                        "alrai",
                        AttributeKey.stringKey("service.instance.id"),
                        node.name())))
            .addSpanProcessor(queue)
            .build();
    this.tracer = provider.get("io.alrai.cn");
  }

  /**
   * What makes spans of a CN's statements.
   *
   * @param parts closes it
   */
  static StatementSpans open(
      SpanChoice choice, NodeId node, Metrics metrics, Consumer<AutoCloseable> parts) {
    SDK_LOG.setLevel(Level.OFF); // the queue says it
    OtlpHttpSpanExporter exporter =
        OtlpHttpSpanExporter.builder()
            .setEndpoint(choice.endpoint())
            .setTimeout(MOST_SECONDS)
            .setRetryPolicy(null)
            .build();
    SpanExport export =
        new SpanExport(exporter, choice.endpoint(), node, metrics, System::nanoTime);
    parts.accept(export);
    return new StatementSpans(
        choice.ratio(), () -> ThreadLocalRandom.current().nextDouble(), export);
  }

  @Override
  public String apply(EndedStatement statement) {
    long start = TimeUnit.MILLISECONDS.toNanos(statement.endMillis()) - statement.nanos();
    SpanBuilder builder =
        tracer
            .spanBuilder(name(statement.text(), statement.path()))
            .setSpanKind(SpanKind.SERVER)
            .setStartTimestamp(start, TimeUnit.NANOSECONDS)
            .setParent(parent(statement.parent()))
            .setAttribute(SYSTEM, "mysql")
            .setAttribute(TEXT, statement.text())
            .setAttribute(USER, statement.user())
            .setAttribute(PATH, statement.path().toLowerCase(Locale.ROOT))
            .setAttribute(ROWS, statement.rows());
    if (!statement.schema().isEmpty()) {
      builder.setAttribute(NAMESPACE, statement.schema());
    }
    Span span = builder.startSpan();
    statement.steps().forEach(step -> step(step, span, start, statement.nanos()));
    if (statement.errno() != 0) {
      span.setAttribute(ERROR, Integer.toString(statement.errno()));
      span.setStatus(StatusCode.ERROR);
    }
    span.end(start + statement.nanos(), TimeUnit.NANOSECONDS);
    return span.getSpanContext().getTraceId();
  }

  private void step(EndedStep ended, Span above, long start, long mostNanos) {
    TraceStep step = ended.step();
    long from = TimeUnit.MICROSECONDS.toNanos(step.startMicros());
    Long micros = step.micros();
    long to = micros == null ? mostNanos : from + TimeUnit.MICROSECONDS.toNanos(micros);
    Long wait = step.waitMicros();
    Span span =
        tracer
            .spanBuilder(name(ended.text(), "ask") + " " + step.place())
            .setSpanKind(SpanKind.CLIENT)
            .setStartTimestamp(start + from, TimeUnit.NANOSECONDS)
            .setParent(Context.root().with(above))
            .setAttribute(SYSTEM, "mysql")
            .setAttribute(TEXT, ended.text())
            .setAttribute(DN, step.place())
            .setAttribute(WAIT, wait == null ? 0 : wait)
            .setAttribute(ROWS, step.rows())
            .setAttribute(BYTES, step.bytes())
            .startSpan();
    if (!ended.error().isEmpty()) {
      span.setAttribute(ERROR, ended.error());
      span.setStatus(StatusCode.ERROR);
    }
    span.end(start + Math.max(from, to), TimeUnit.NANOSECONDS);
  }

  private static String name(String text, String otherwise) {
    String verb = SpanText.verb(text);
    return verb.isEmpty() ? otherwise : verb;
  }

  private static Context parent(@Nullable TraceParent parent) {
    return parent == null
        ? Context.root()
        : Context.root()
            .with(
                Span.wrap(
                    SpanContext.createFromRemoteParent(
                        parent.traceId(),
                        parent.spanId(),
                        parent.sampled() ? TraceFlags.getSampled() : TraceFlags.getDefault(),
                        TraceState.getDefault())));
  }

  /** Sends what is left, for a second or two. */
  @Override
  public void close() {
    provider.close();
  }
}
