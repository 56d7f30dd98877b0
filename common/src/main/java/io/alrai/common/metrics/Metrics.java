package io.alrai.common.metrics;

import io.alrai.common.id.DnId;
import io.alrai.common.time.HlcTimestamp;
import io.micrometer.core.instrument.FunctionCounter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.Measurement;
import io.micrometer.core.instrument.Meter;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Tags;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.EnumMap;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.DoubleSupplier;
import java.util.function.Function;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * The registry of a process. Whoever counts takes its adders once and keeps them; the registry
 * reads them when somebody looks. Thread-safe.
 */
public final class Metrics {
  private static final String OWN = "alrai_";
  private static final String REASON = "reason";
  private static final double MILLIS = 1e3;
  private static final double NANOS = 1e9;
  private static final Set<Metric> AGES =
      EnumSet.of(
          Metric.DDL_AGE,
          Metric.IN_DOUBT_AGE,
          Metric.COMMIT_STALL,
          Metric.MYSQLD_ANSWER,
          Metric.MYSQLD_LOCK_WAIT,
          Metric.MYSQLD_TRANSACTION,
          Metric.MEMBER_SILENCE,
          Metric.MEMBER_LAG);
  private static final Map<String, Metric> BY_LABEL =
      Arrays.stream(Metric.values())
          .collect(Collectors.toUnmodifiableMap(Metric::label, Function.identity()));

  private final MeterRegistry registry = new SimpleMeterRegistry();

  /** What the registry reads; it does not keep it alive by itself. */
  private final Map<Series, Object> sources = new ConcurrentHashMap<>();

  private final Map<Series, Supplier<Latency>> latencies = new ConcurrentHashMap<>();

  private record Series(Metric metric, List<String> labels) {
    Series(Metric metric) {
      this(metric, List.of());
    }

    Series(Metric metric, DnId dn) {
      this(metric, List.of(Sample.DN, dn.name()));
    }

    Tags tags() {
      return Tags.of(labels.toArray(String[]::new));
    }
  }

  /** The counter of the process, to be incremented; in nanoseconds where it is a time. */
  public LongAdder adder(Metric metric) {
    return adder(new Series(metric));
  }

  /** The counter of a DN. */
  public LongAdder adder(Metric metric, DnId dn) {
    return adder(new Series(metric, dn));
  }

  /** Shows what somebody else counts of a DN. A second source is ignored. */
  public void counted(Metric metric, DnId dn, LongAdder adder) {
    adder(new Series(metric, dn), adder);
  }

  /** Shows what somebody else counts of a DN, by reason. A second source is ignored. */
  public void counted(Metric metric, DnId dn, String reason, LongAdder adder) {
    adder(new Series(metric, List.of(Sample.DN, dn.name(), REASON, reason)), adder);
  }

  /** Shows what somebody else counts; in nanoseconds where it is a time. */
  public void counted(Metric metric, List<String> labels, LongSupplier source) {
    double unit = metric.kind() == Metric.Kind.SECONDS ? NANOS : 1;
    sources.computeIfAbsent(
        new Series(metric, labels),
        key -> {
          FunctionCounter.builder(metric.label(), source, it -> it.getAsLong() / unit)
              .tags(key.tags())
              .register(registry);
          return source;
        });
  }

  private LongAdder adder(Series series) {
    return adder(series, new LongAdder());
  }

  private LongAdder adder(Series series, LongAdder adder) {
    if (series.metric.kind() == Metric.Kind.NOW || series.metric.kind() == Metric.Kind.LATENCY) {
      throw new IllegalArgumentException(series.metric + " is not counted");
    }
    double unit = series.metric.kind() == Metric.Kind.SECONDS ? NANOS : 1;
    return (LongAdder)
        sources.computeIfAbsent(
            series,
            key -> {
              FunctionCounter.builder(key.metric.label(), adder, it -> it.sum() / unit)
                  .tags(key.tags())
                  .register(registry);
              return adder;
            });
  }

  /** How long something takes in the process. */
  public Latency latency(Metric metric) {
    return latency(new Series(metric));
  }

  /** How long something takes of a DN. */
  public Latency latency(Metric metric, DnId dn) {
    return latency(new Series(metric, dn));
  }

  /**
   * How long something takes of one kind. Whoever records takes it once and keeps it.
   *
   * @param labels names and values in turn; the same names for all of a metric
   */
  public Latency latency(Metric metric, String... labels) {
    return latency(new Series(metric, List.of(labels)));
  }

  private Latency latency(Series series) {
    if (series.metric.kind() != Metric.Kind.LATENCY) {
      throw new IllegalArgumentException(series.metric + " is no latency");
    }
    return latencies.computeIfAbsent(series, key -> of(new Latency())).get();
  }

  private static Supplier<Latency> of(Latency made) {
    return () -> made;
  }

  /**
   * Shows what somebody else records of a DN; asked on any thread. A second source is ignored.
   *
   * @param source may give another one later, which begins anew
   */
  public void measured(Metric metric, DnId dn, Supplier<Latency> source) {
    latencies.putIfAbsent(new Series(metric, dn), source);
  }

  /**
   * Shows what somebody else counts of a DN, in nanoseconds where it is a time; asked on any
   * thread. A second source is ignored.
   */
  public void counted(Metric metric, DnId dn, LongSupplier source) {
    counted(metric, List.of(Sample.DN, dn.name()), source);
  }

  /** What there is now in the process of one kind; asked on any thread. */
  public void now(Metric metric, List<String> labels, DoubleSupplier source) {
    now(new Series(metric, labels), source);
  }

  /** What there is now in the process; asked on any thread. A second source is ignored. */
  public void now(Metric metric, DoubleSupplier source) {
    now(new Series(metric), source);
  }

  /** What there is now of a DN; asked on any thread. A second source is ignored. */
  public void now(Metric metric, DnId dn, DoubleSupplier source) {
    now(new Series(metric, dn), source);
  }

  private void now(Series series, DoubleSupplier source) {
    if (series.metric.kind() != Metric.Kind.NOW) {
      throw new IllegalArgumentException(series.metric + " is counted");
    }
    sources.computeIfAbsent(
        series,
        key -> {
          Gauge.builder(key.metric.label(), source, DoubleSupplier::getAsDouble)
              .tags(key.tags())
              .register(registry);
          return source;
        });
  }

  /**
   * Measures how far the process' clock is ahead.
   *
   * @param hybrid its timestamps, which tick nothing
   * @param wallMillis milliseconds since 1970
   */
  public void clock(LongSupplier hybrid, LongSupplier wallMillis) {
    now(
        Metric.CLOCK_AHEAD,
        () -> {
          long wall = wallMillis.getAsLong();
          return (new HlcTimestamp(hybrid.getAsLong()).millis() - wall) / MILLIS;
        });
  }

  /** All values as they are now, by metric and labels. */
  public List<Sample> samples() {
    List<Sample> samples = new ArrayList<>();
    for (Meter meter : registry.getMeters()) {
      Metric metric = BY_LABEL.get(meter.getId().getName());
      List<String> labels =
          meter.getId().getTags().stream()
              .flatMap(tag -> Stream.of(tag.getKey(), tag.getValue()))
              .toList();
      for (Measurement measured : meter.measure()) {
        if (metric != null) {
          samples.add(new Sample(metric, labels, "", measured.getValue()));
        }
      }
    }
    latencies.entrySet().stream()
        .sorted(Comparator.comparing(entry -> String.valueOf(entry.getKey().labels)))
        .forEach(entry -> parts(entry.getKey(), entry.getValue().get(), samples));
    // the parts of a distribution stay as they are
    samples.sort(
        Comparator.comparing(Sample::metric)
            .thenComparing(
                sample -> sample.suffix().isEmpty() ? String.valueOf(sample.labels()) : ""));
    return samples;
  }

  private static void parts(Series series, Latency latency, List<Sample> samples) {
    double[] bounds = Latency.bounds();
    long[] counts = latency.cumulative();
    for (int bucket = 0; bucket < counts.length; bucket++) {
      List<String> labels = new ArrayList<>(series.labels);
      labels.add("le");
      labels.add(bucket < bounds.length ? Sample.text(bounds[bucket]) : "+Inf");
      samples.add(
          new Sample(series.metric, labels, "_bucket", counts[bucket], latency.exemplar(bucket)));
    }
    samples.add(new Sample(series.metric, series.labels, "_sum", latency.sumSeconds()));
    samples.add(new Sample(series.metric, series.labels, "_count", counts[counts.length - 1]));
  }

  /**
   * One value for each metric by its name in SHOW STATUS: the sum over the DNs, of ages the
   * largest, of latencies the time that 99 of 100 did not exceed. Those of the process itself are
   * not among them.
   */
  public Map<String, String> status() {
    Map<Metric, Double> merged = new EnumMap<>(Metric.class);
    for (Sample sample : samples()) {
      if (sample.suffix().isEmpty() && sample.metric().label().startsWith(OWN)) {
        merged.merge(
            sample.metric(),
            sample.value(),
            AGES.contains(sample.metric()) ? Math::max : Double::sum);
      }
    }
    Map<Metric, long[]> counts = new EnumMap<>(Metric.class);
    latencies.forEach((series, latency) ->
        counts.merge(series.metric, latency.get().cumulative(), Metrics::together));
    counts.forEach((metric, cumulative) -> merged.put(metric, Latency.p99(cumulative)));
    Map<String, String> texts = new TreeMap<>();
    merged.forEach((metric, value) -> texts.put(metric.statusName(), Sample.text(value)));
    return texts;
  }

  private static long[] together(long[] some, long[] others) {
    long[] sums = new long[some.length];
    Arrays.setAll(sums, bucket -> some[bucket] + others[bucket]);
    return sums;
  }
}
