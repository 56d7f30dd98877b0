package io.alrai.cn.tx.branch;

import io.alrai.common.id.DnId;
import io.alrai.common.id.NodeId;
import io.alrai.common.id.TransactionId;
import java.util.concurrent.atomic.AtomicLong;

/** Names the transactions of one CN. Thread-safe. */
public final class TransactionNumbers {
  private final NodeId coordinator;
  private final long epochMillis;
  private final AtomicLong next = new AtomicLong();

  /**
   * Names for one run of a CN.
   *
   * @param epochMillis when it started, milliseconds since 1970; no two runs may share it
   */
  public TransactionNumbers(NodeId coordinator, long epochMillis) {
    this.coordinator = coordinator;
    this.epochMillis = epochMillis;
  }

  /**
   * A name that no transaction has of which there are traces left.
   *
   * @param connection the primary branch's at its mysqld
   */
  public TransactionId next(DnId primary, long connection) {
    long number = TransactionId.number(next.incrementAndGet(), connection);
    return new TransactionId(coordinator, epochMillis, number, primary);
  }
}
