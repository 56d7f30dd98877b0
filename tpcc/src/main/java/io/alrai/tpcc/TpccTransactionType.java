package io.alrai.tpcc;

import java.time.Duration;

/** The five transactions, with their share of the mix and their times (TPC-C 5.2.3, 5.2.5.7). */
public enum TpccTransactionType {
  NEW_ORDER("new-order", 45, 18, 12),
  PAYMENT("payment", 43, 3, 12),
  ORDER_STATUS("order-status", 4, 2, 10),
  DELIVERY("delivery", 4, 2, 5),
  STOCK_LEVEL("stock-level", 4, 2, 5);

  private final String label;
  private final int percent;
  private final Duration keying;
  private final Duration meanThinking;

  TpccTransactionType(String label, int percent, int keyingSeconds, int thinkingSeconds) {
    this.label = label;
    this.percent = percent;
    this.keying = Duration.ofSeconds(keyingSeconds);
    this.meanThinking = Duration.ofSeconds(thinkingSeconds);
  }

  /** The name in reports. */
  public String label() {
    return label;
  }

  /** How many of a hundred transactions are of this type. */
  public int percent() {
    return percent;
  }

  /** Time to enter the input, before the transaction. */
  public Duration keying() {
    return keying;
  }

  /** Mean time to read the output, after the transaction. */
  public Duration meanThinking() {
    return meanThinking;
  }
}
