package io.alrai.dn.clock;

import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Wall time that never goes back while its process lives. It follows the system's clock; where that
 * is set back, it goes on by the monotonic clock, a little slower, until the system's clock has
 * caught up. The other nodes' clocks stay near it meanwhile, and none is refused for being ahead.
 * Thread-safe.
 */
final class SteadyTime implements LongSupplier {
  /** While it is ahead of the system's clock it loses a millisecond in so many. */
  static final int SLOWER = 16;

  /** Steps back from so many milliseconds on are worth a line in the log. */
  private static final long WORTH_TELLING_MILLIS = 100;

  private static final Logger log = LoggerFactory.getLogger(SteadyTime.class);

  private final LongSupplier system;
  private final LongSupplier monotonicNanos;

  /** What the monotonic milliseconds lack to this time. */
  private final AtomicLong offset;

  /** When, by the monotonic milliseconds, it last lost one. */
  private final AtomicLong lost;

  private volatile boolean ahead;

  /**
   * Time that begins with the system's.
   *
   * @param system milliseconds since 1970
   * @param monotonicNanos as {@link System#nanoTime}
   */
  SteadyTime(LongSupplier system, LongSupplier monotonicNanos) {
    this.system = system;
    this.monotonicNanos = monotonicNanos;
    long monotonic = monotonic();
    this.offset = new AtomicLong(system.getAsLong() - monotonic);
    this.lost = new AtomicLong(monotonic);
  }

  private long monotonic() {
    return TimeUnit.NANOSECONDS.toMillis(monotonicNanos.getAsLong());
  }

  @Override
  public long getAsLong() {
    long monotonic = monotonic();
    long known = offset.get();
    long wanted = system.getAsLong() - monotonic;
    if (wanted >= known) {
      if (ahead) {
        ahead = false;
      }
      return monotonic + (wanted == known ? known : follow(wanted));
    }
    if (!ahead) {
      begin(monotonic, known - wanted);
    }
    return monotonic + (loses(monotonic) ? offset.decrementAndGet() : known);
  }

  private void begin(long monotonic, long lead) {
    ahead = true;
    lost.set(monotonic);
    if (lead >= WORTH_TELLING_MILLIS) {
      log.warn(
          "the system's clock was set back by {} ms; this node's goes on from where it was", lead);
    }
  }

  private long follow(long wanted) {
    return offset.accumulateAndGet(wanted, Math::max);
  }

  private boolean loses(long monotonic) {
    long last = lost.get();
    return monotonic - last >= SLOWER && lost.compareAndSet(last, monotonic);
  }
}
