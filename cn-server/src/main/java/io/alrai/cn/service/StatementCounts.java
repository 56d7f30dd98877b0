package io.alrai.cn.service;

import io.alrai.common.metrics.Metric;
import io.alrai.common.metrics.Metrics;
import java.util.concurrent.atomic.LongAdder;

/**
 * What a CN counts of all statements.
 *
 * @param statements that were begun
 * @param errors that clients got
 * @param clientTimeouts connections that were closed because their clients took or sent nothing
 * @param unheardKills KILLs that found nothing to end
 * @param timeouts statements that were ended after the time that they had
 * @param statementsAgain statements that were run again as their connection broke
 * @param replicaReads statements that were sent to members that follow
 * @param replicaFallbacks of these, run again at leaders
 */
public record StatementCounts(
    LongAdder statements,
    LongAdder errors,
    LongAdder clientTimeouts,
    LongAdder unheardKills,
    LongAdder timeouts,
    LongAdder statementsAgain,
    LongAdder replicaReads,
    LongAdder replicaFallbacks) {
  /** The counts of a process. */
  public static StatementCounts of(Metrics metrics) {
    return new StatementCounts(
        metrics.adder(Metric.STATEMENTS),
        metrics.adder(Metric.STATEMENT_ERRORS),
        metrics.adder(Metric.CLIENT_TIMEOUTS),
        metrics.adder(Metric.UNHEARD_KILLS),
        metrics.adder(Metric.STATEMENT_TIMEOUTS),
        metrics.adder(Metric.STATEMENTS_AGAIN),
        metrics.adder(Metric.REPLICA_READS),
        metrics.adder(Metric.REPLICA_FALLBACKS));
  }
}
