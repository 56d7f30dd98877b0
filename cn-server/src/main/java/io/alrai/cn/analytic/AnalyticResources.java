package io.alrai.cn.analytic;

import io.alrai.executor.schedule.Admission;
import io.alrai.executor.task.AnalyticExecutor;
import java.util.function.BooleanSupplier;
import java.util.function.LongSupplier;

/**
 * What the queries of a CN share.
 *
 * @param executor runs their plans
 * @param admission lets them begin
 * @param threads do the rest of their work
 * @param queryBytes what one of them may come to hold
 * @param heldBack whether they have less of the processors than there is
 */
public record AnalyticResources(
    AnalyticExecutor executor,
    Admission admission,
    AnalyticThreads threads,
    LongSupplier queryBytes,
    BooleanSupplier heldBack) {
  /** A copy for a query that may hold another amount of memory. */
  AnalyticResources withQueryBytes(LongSupplier bytes) {
    return new AnalyticResources(executor, admission, threads, bytes, heldBack);
  }
}
