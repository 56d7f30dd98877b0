package io.alrai.cn.snapshot;

import io.alrai.common.metrics.Latency;
import io.alrai.common.metrics.Metric;
import io.alrai.common.metrics.Metrics;
import java.util.concurrent.atomic.LongAdder;

/**
 * What a CN counts of its sessions' snapshots and commits over several DNs. Transactions on one DN
 * are not counted here.
 *
 * @param snapshots opened
 * @param refusals by DNs
 * @param moves of transactions to later snapshots, as a DN had moved past theirs
 * @param waitNanos until the views of a snapshot were open
 * @param commits begun
 * @param prepared everywhere
 * @param prepareNanos from the begin until then
 * @param decided committed
 * @param decideNanos from there until then
 * @param finished visible everywhere
 * @param finishNanos from there until then
 * @param rollbacks instead
 * @param inDoubt outcome not known to the client
 * @param oneDnTimes of commits on one DN
 * @param manyDnTimes of commits over several DNs
 * @param replicaFallbacks transactions that read at leaders, as members that follow showed nothing
 */
public record TransactionCounts(
    LongAdder snapshots,
    LongAdder refusals,
    LongAdder moves,
    LongAdder waitNanos,
    LongAdder commits,
    LongAdder prepared,
    LongAdder prepareNanos,
    LongAdder decided,
    LongAdder decideNanos,
    LongAdder finished,
    LongAdder finishNanos,
    LongAdder rollbacks,
    LongAdder inDoubt,
    Latency oneDnTimes,
    Latency manyDnTimes,
    LongAdder replicaFallbacks) {
  private static final String DNS = "dns";

  /** The counts of a process. */
  public static TransactionCounts of(Metrics metrics) {
    return new TransactionCounts(
        metrics.adder(Metric.SNAPSHOTS),
        metrics.adder(Metric.SNAPSHOT_REFUSALS),
        metrics.adder(Metric.SNAPSHOT_MOVES),
        metrics.adder(Metric.SNAPSHOT_WAITS),
        metrics.adder(Metric.TWO_PHASE_COMMITS),
        metrics.adder(Metric.TWO_PHASE_PREPARED),
        metrics.adder(Metric.TWO_PHASE_PREPARES),
        metrics.adder(Metric.TWO_PHASE_DECIDED),
        metrics.adder(Metric.TWO_PHASE_DECISIONS),
        metrics.adder(Metric.TWO_PHASE_FINISHED),
        metrics.adder(Metric.TWO_PHASE_FINISHES),
        metrics.adder(Metric.TWO_PHASE_ROLLBACKS),
        metrics.adder(Metric.TWO_PHASE_IN_DOUBT),
        metrics.latency(Metric.COMMIT_TIMES, DNS, "one"),
        metrics.latency(Metric.COMMIT_TIMES, DNS, "many"),
        metrics.adder(Metric.REPLICA_FALLBACKS));
  }
}
