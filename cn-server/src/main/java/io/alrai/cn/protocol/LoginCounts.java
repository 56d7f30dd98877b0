package io.alrai.cn.protocol;

import io.alrai.common.metrics.Metric;
import io.alrai.common.metrics.Metrics;
import java.util.concurrent.atomic.LongAdder;

/**
 * How logins go.
 *
 * @param aborted clients that went, or were sent away, before they were logged in
 * @param tlsAccepts TLS handshakes that were begun
 * @param tlsFinishedAccepts those of them that were finished
 */
public record LoginCounts(LongAdder aborted, LongAdder tlsAccepts, LongAdder tlsFinishedAccepts) {
  /** Those that the process reports. */
  public static LoginCounts of(Metrics metrics) {
    return new LoginCounts(
        metrics.adder(Metric.ABORTED_CONNECTS),
        metrics.adder(Metric.TLS_ACCEPTS),
        metrics.adder(Metric.TLS_FINISHED_ACCEPTS));
  }
}
