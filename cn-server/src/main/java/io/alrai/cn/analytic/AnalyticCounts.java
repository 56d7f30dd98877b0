package io.alrai.cn.analytic;

import io.alrai.common.metrics.Metric;
import io.alrai.common.metrics.Metrics;
import java.util.concurrent.atomic.LongAdder;

/**
 * What a CN counts of SELECTs over column indexes.
 *
 * @param asked those that the indexes are to answer, or that are still looked at; shown nowhere
 * @param answered those that the indexes answered
 * @param left those that were begun there and then left to the row store
 */
public record AnalyticCounts(LongAdder asked, LongAdder answered, LongAdder left) {
  /** The counts of a process. */
  public static AnalyticCounts of(Metrics metrics) {
    return new AnalyticCounts(
        new LongAdder(),
        metrics.adder(Metric.COLUMN_SELECTS),
        metrics.adder(Metric.COLUMN_SELECTS_LEFT));
  }
}
