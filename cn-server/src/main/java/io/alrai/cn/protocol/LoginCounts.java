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
 * @param passwords passwords that were compared with a slow hash
 * @param delayed answers that waited after wrong passwords
 */
public record LoginCounts(
    LongAdder aborted,
    LongAdder tlsAccepts,
    LongAdder tlsFinishedAccepts,
    LongAdder passwords,
    LongAdder delayed) {
  /** Those that the process reports. */
  public static LoginCounts of(Metrics metrics) {
    return new LoginCounts(
        metrics.adder(Metric.ABORTED_CONNECTS),
        metrics.adder(Metric.TLS_ACCEPTS),
        metrics.adder(Metric.TLS_FINISHED_ACCEPTS),
        metrics.adder(Metric.PASSWORD_HASHES),
        metrics.adder(Metric.DELAYED_LOGINS));
  }
}
