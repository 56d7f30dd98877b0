package io.alrai.cn.ccl;

import io.alrai.common.metrics.Metric;
import io.alrai.common.metrics.Metrics;
import java.util.concurrent.atomic.LongAdder;

/**
 * What a CN counts of all CCL rules, those that are gone, too.
 *
 * @param waits statements that had to wait
 * @param refused those that got an error
 */
public record RuleTotals(LongAdder waits, LongAdder refused) {
  /** The counts of a process. */
  public static RuleTotals of(Metrics metrics) {
    return new RuleTotals(metrics.adder(Metric.CCL_WAITS), metrics.adder(Metric.CCL_REFUSED));
  }
}
