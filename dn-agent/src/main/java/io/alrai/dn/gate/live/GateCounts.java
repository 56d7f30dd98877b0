package io.alrai.dn.gate.live;

import io.alrai.common.id.DnId;
import io.alrai.common.metrics.Latency;
import io.alrai.common.metrics.Metric;
import io.alrai.common.metrics.Metrics;
import java.util.concurrent.atomic.LongAdder;

/**
 * What a gate counts through all lives of its mysqld.
 *
 * @param transactions that became visible
 * @param opens views that were asked for
 * @param refusals of these
 * @param waits from there to the answer
 * @param cuts that were made
 * @param cutsMoved those that were stuck
 * @param holdNanos from a cut until the commits after it went on
 * @param awaits views that were opened after waiting for a commit to become visible
 * @param viewsGivenUp those that were not open within the longest time of a cut
 * @param pushes asked of other DNs, or of this one for a branch of its own
 * @param pushesAnswered as the primary
 * @param rowsFound replies to reads that it had kept
 */
public record GateCounts(
    LongAdder transactions,
    LongAdder opens,
    LongAdder refusals,
    Latency waits,
    LongAdder cuts,
    LongAdder cutsMoved,
    LongAdder holdNanos,
    LongAdder awaits,
    LongAdder viewsGivenUp,
    LongAdder pushes,
    LongAdder pushesAnswered,
    LongAdder rowsFound) {
  /** The counts of a DN in the registry of its process. */
  public static GateCounts of(Metrics metrics, DnId dn) {
    Latency waits = metrics.latency(Metric.GATE_OPEN_TIMES, dn);
    metrics.counted(Metric.GATE_WAITS, dn, waits.sum());
    return new GateCounts(
        metrics.adder(Metric.GATE_TRANSACTIONS, dn),
        metrics.adder(Metric.GATE_OPENS, dn),
        metrics.adder(Metric.GATE_REFUSALS, dn),
        waits,
        metrics.adder(Metric.GATE_CUTS, dn),
        metrics.adder(Metric.GATE_CUTS_MOVED, dn),
        metrics.adder(Metric.GATE_HOLDS, dn),
        metrics.adder(Metric.GATE_AWAITS, dn),
        metrics.adder(Metric.GATE_VIEWS_GIVEN_UP, dn),
        metrics.adder(Metric.GATE_PUSHES, dn),
        metrics.adder(Metric.GATE_PUSHES_ANSWERED, dn),
        metrics.adder(Metric.ROWS_FOUND, dn));
  }
}
