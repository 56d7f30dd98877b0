package io.alrai.dn.link;

import io.alrai.common.id.DnId;
import io.alrai.common.metrics.Metric;
import io.alrai.common.metrics.Metrics;
import java.util.concurrent.atomic.LongAdder;

/**
 * What an agent counts of what it says to others.
 *
 * @param held replies that had to wait for the reservation of the clock
 * @param sent bytes of the DN's log
 */
public record ServerCounts(LongAdder held, LongAdder sent) {
  /** Those that are among a process' metrics. */
  public static ServerCounts of(Metrics metrics, DnId dn) {
    return new ServerCounts(
        metrics.adder(Metric.HELD_REPLIES, dn), metrics.adder(Metric.LOG_BYTES_SENT, dn));
  }

  /** Those that nobody looks at. */
  public static ServerCounts unseen() {
    return new ServerCounts(new LongAdder(), new LongAdder());
  }
}
