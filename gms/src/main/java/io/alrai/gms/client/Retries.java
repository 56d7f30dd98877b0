package io.alrai.gms.client;

import io.alrai.common.metrics.Metric;
import io.alrai.common.metrics.Metrics;
import java.io.IOException;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.LongSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Tells of requests to the GMS that no leader has answered: in numbers each one, in the log the
 * first one and the first answer after it. Thread-safe.
 */
final class Retries {
  private static final Logger log = LoggerFactory.getLogger(Retries.class);
  private static final long NONE = 0;

  private final LongSupplier nanoTime;
  private final LongAdder count;
  private final LongAdder nanos;
  private final AtomicLong awaySince = new AtomicLong(NONE);

  /**
   * Counts in the process' metrics.
   *
   * @param nanoTime as {@link System#nanoTime}
   */
  Retries(Metrics metrics, LongSupplier nanoTime) {
    this.nanoTime = nanoTime;
    this.count = metrics.adder(Metric.GMS_RETRIES);
    this.nanos = metrics.adder(Metric.GMS_WAITS);
  }

  /** A request is sent again. */
  void again(IOException reason) {
    count.increment();
    if (awaySince.get() == NONE && awaySince.compareAndSet(NONE, nanoTime.getAsLong() | 1)) {
      log.warn("no leader of the GMS answers, it is asked again: {}", reason.getMessage());
    }
  }

  /**
   * A request has been answered.
   *
   * @param tookNanos since it was sent for the first time, if it was sent more than once; else 0
   */
  void answered(long tookNanos) {
    if (tookNanos > 0) {
      nanos.add(tookNanos);
    }
    long since = awaySince.get();
    if (since != NONE && awaySince.compareAndSet(since, NONE)) {
      log.info("the GMS answers after {} ms", (nanoTime.getAsLong() - since) / 1_000_000);
    }
  }
}
