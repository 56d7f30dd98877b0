package io.alrai.common.metrics;

import io.alrai.common.id.DnId;
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
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.DoubleSupplier;
import java.util.function.Function;
import java.util.stream.Collectors;

/**
 * The registry of a process. Whoever counts takes its adders once and keeps them; the registry
 * reads them when somebody looks. Thread-safe.
 */
public final class Metrics {
  private static final String DN = "dn";
  private static final String REASON = "reason";
  private static final double NANOS = 1e9;
  private static final Set<Metric> AGES =
      EnumSet.of(
          Metric.IN_DOUBT_AGE, Metric.COMMIT_STALL, Metric.MEMBER_SILENCE, Metric.MEMBER_LAG);
  private static final Map<String, Metric> BY_LABEL =
      Arrays.stream(Metric.values())
          .collect(Collectors.toUnmodifiableMap(Metric::label, Function.identity()));

  private final MeterRegistry registry = new SimpleMeterRegistry();

  /** What the registry reads; it does not keep it alive by itself. */
  private final Map<Series, Object> sources = new ConcurrentHashMap<>();

  private record Series(Metric metric, String dn, String reason) {
    Series(Metric metric, String dn) {
      this(metric, dn, "");
    }

    Tags tags() {
      Tags ofDn = dn.isEmpty() ? Tags.empty() : Tags.of(DN, dn);
      return reason.isEmpty() ? ofDn : ofDn.and(REASON, reason);
    }
  }

  /** The counter of the process, to be incremented; in nanoseconds where it is a time. */
  public LongAdder adder(Metric metric) {
    return adder(new Series(metric, ""));
  }

  /** The counter of a DN. */
  public LongAdder adder(Metric metric, DnId dn) {
    return adder(new Series(metric, dn.name()));
  }

  /** Shows what somebody else counts of a DN. A second source is ignored. */
  public void counted(Metric metric, DnId dn, LongAdder adder) {
    adder(new Series(metric, dn.name()), adder);
  }

  /** Shows what somebody else counts of a DN, by reason. A second source is ignored. */
  public void counted(Metric metric, DnId dn, String reason, LongAdder adder) {
    adder(new Series(metric, dn.name(), reason), adder);
  }

  private LongAdder adder(Series series) {
    return adder(series, new LongAdder());
  }

  private LongAdder adder(Series series, LongAdder adder) {
    if (series.metric.kind() == Metric.Kind.NOW) {
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

  /** What there is now in the process; asked on any thread. A second source is ignored. */
  public void now(Metric metric, DoubleSupplier source) {
    now(new Series(metric, ""), source);
  }

  /** What there is now of a DN; asked on any thread. A second source is ignored. */
  public void now(Metric metric, DnId dn, DoubleSupplier source) {
    now(new Series(metric, dn.name()), source);
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

  /** All values as they are now, by metric and DN. */
  public List<Sample> samples() {
    List<Sample> samples = new ArrayList<>();
    for (Meter meter : registry.getMeters()) {
      Metric metric = BY_LABEL.get(meter.getId().getName());
      for (Measurement measured : meter.measure()) {
        if (metric != null) {
          samples.add(new Sample(metric, tag(meter, DN), tag(meter, REASON), measured.getValue()));
        }
      }
    }
    samples.sort(
        Comparator.comparing(Sample::metric)
            .thenComparing(Sample::dn)
            .thenComparing(Sample::reason));
    return samples;
  }

  private static String tag(Meter meter, String name) {
    return Optional.ofNullable(meter.getId().getTag(name)).orElse("");
  }

  /**
   * One value for each metric by its name in SHOW STATUS: the sum over the DNs, of ages the
   * largest.
   */
  public Map<String, String> status() {
    Map<Metric, Double> merged = new EnumMap<>(Metric.class);
    for (Sample sample : samples()) {
      merged.merge(
          sample.metric(),
          sample.value(),
          AGES.contains(sample.metric()) ? Math::max : Double::sum);
    }
    Map<String, String> texts = new TreeMap<>();
    merged.forEach((metric, value) -> texts.put(metric.statusName(), Sample.text(value)));
    return texts;
  }
}
