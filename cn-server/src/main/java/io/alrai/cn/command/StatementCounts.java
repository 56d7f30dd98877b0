package io.alrai.cn.command;

import io.alrai.common.metrics.Metric;
import io.alrai.common.metrics.Metrics;
import java.util.concurrent.atomic.LongAdder;

/**
 * What a CN counts of all statements.
 *
 * @param statements that were begun
 * @param errors that clients were told
 */
public record StatementCounts(LongAdder statements, LongAdder errors) {
  /** Those of a process. */
  public static StatementCounts of(Metrics metrics) {
    return new StatementCounts(
        metrics.adder(Metric.STATEMENTS), metrics.adder(Metric.STATEMENT_ERRORS));
  }
}
