package io.alrai.cn.session;

import io.alrai.cn.settings.GlobalVariables;
import io.alrai.cn.snapshot.TransactionOptions;
import io.alrai.optimizer.api.AdminStatement.Wish;

/** When and how transactions of a session begin. Owned as the session is. */
public final class TransactionDefaults {
  private final NextTransaction next = new NextTransaction();
  private boolean autocommit = true;
  private boolean readOnly;

  TransactionDefaults() {}

  /** With the global values; what is said of the next transaction stays. */
  void begin(GlobalVariables globals) {
    autocommit = globals.isOn("autocommit", true);
    readOnly = globals.isOn("transaction_read_only", false);
  }

  /** {@code @@autocommit}. */
  public boolean autocommit() {
    return autocommit;
  }

  /** Sets it; the caller commits what is open. */
  public void autocommit(boolean on) {
    autocommit = on;
  }

  /** {@code @@transaction_read_only}. */
  public boolean readOnly() {
    return readOnly;
  }

  public void readOnly(boolean on) {
    readOnly = on;
  }

  /** What is said of the next transaction alone. */
  public NextTransaction next() {
    return next;
  }

  /** How a transaction begins, which is the next one. */
  public TransactionOptions take() {
    return next.take(readOnly);
  }

  /**
   * How a transaction begins that a statement begins.
   *
   * @param ofStatement whether that says READ ONLY or READ WRITE
   */
  public TransactionOptions take(Wish ofStatement, boolean consistentSnapshot) {
    return next.take(readOnly, ofStatement, consistentSnapshot);
  }
}
