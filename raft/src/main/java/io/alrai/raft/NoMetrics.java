package io.alrai.raft;

import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.apache.ratis.metrics.LongCounter;
import org.apache.ratis.metrics.MetricRegistries;
import org.apache.ratis.metrics.MetricRegistryInfo;
import org.apache.ratis.metrics.RatisMetricRegistry;
import org.apache.ratis.metrics.Timekeeper;
import org.apache.ratis.util.TimeDuration;

/**
 * Keeps Ratis from measuring itself: its own registry holds a few megabytes of samples and
 * publishes them over JMX, where nobody looks. Ratis finds this class as a service.
 */
public final class NoMetrics extends MetricRegistries {
  private static final Timekeeper.Context STOPPED = () -> 0;
  private static final Timekeeper IDLE = () -> STOPPED;

  /** For the service loader. */
  public NoMetrics() {}

  @Override
  public RatisMetricRegistry create(MetricRegistryInfo info) {
    return new Registry(info);
  }

  @Override
  public Optional<RatisMetricRegistry> get(MetricRegistryInfo info) {
    return Optional.empty();
  }

  @Override
  public boolean remove(MetricRegistryInfo info) {
    return true;
  }

  @Override
  public void clear() {
    // nothing is kept
  }

  @Override
  public Set<MetricRegistryInfo> getMetricRegistryInfos() {
    return Set.of();
  }

  @Override
  public Collection<RatisMetricRegistry> getMetricRegistries() {
    return List.of();
  }

  @Override
  public void addReporterRegistration(
      Consumer<RatisMetricRegistry> start, Consumer<RatisMetricRegistry> stop) {
    // nothing is reported
  }

  @Override
  public void enableJmxReporter() {
    // nothing is reported
  }

  @Override
  public void enableConsoleReporter(TimeDuration rate) {
    // nothing is reported
  }

  private record Registry(MetricRegistryInfo info) implements RatisMetricRegistry {
    @Override
    public Timekeeper timer(String name) {
      return IDLE;
    }

    @Override
    public LongCounter counter(String name) {
      return new Counter(new AtomicLong());
    }

    @Override
    public boolean remove(String name) {
      return true;
    }

    @Override
    public <T> void gauge(String name, Supplier<Supplier<T>> value) {
      // nobody asks for it
    }

    @Override
    public MetricRegistryInfo getMetricRegistryInfo() {
      return info;
    }
  }

  /** Counts, because Ratis reads some of its counters back. */
  private record Counter(AtomicLong count) implements LongCounter {
    @Override
    public void inc(long by) {
      count.addAndGet(by);
    }

    @Override
    public void dec(long by) {
      count.addAndGet(-by);
    }

    @Override
    public long getCount() {
      return count.get();
    }
  }
}
