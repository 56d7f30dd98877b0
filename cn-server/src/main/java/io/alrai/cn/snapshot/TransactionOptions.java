package io.alrai.cn.snapshot;

/**
 * How a transaction was begun.
 *
 * @param isolation for this transaction only, as in {@code READ COMMITTED}; empty for the session's
 * @param readOnly READ ONLY
 * @param consistentSnapshot WITH CONSISTENT SNAPSHOT
 */
public record TransactionOptions(String isolation, boolean readOnly, boolean consistentSnapshot) {
  /** A copy with an isolation of its own, whatever the session's becomes. */
  public TransactionOptions isolatedAs(String level) {
    return new TransactionOptions(level, readOnly, consistentSnapshot);
  }

  /** START TRANSACTION without any option. */
  public static final TransactionOptions PLAIN = new TransactionOptions("", false, false);

  /** START TRANSACTION READ ONLY. */
  public static final TransactionOptions READ_ONLY = new TransactionOptions("", true, false);
}
