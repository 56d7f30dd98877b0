package io.alrai.cn.session;

import io.alrai.cn.snapshot.TransactionOptions;
import io.alrai.optimizer.api.AdminStatement.Wish;

/**
 * What SET TRANSACTION without SESSION says of the next transaction alone, in place of what the
 * session says. Owned by the session.
 */
public final class NextTransaction {
  private String isolation = "";
  private Wish readOnly = Wish.UNSAID;

  NextTransaction() {}

  /** Its isolation, as in SQL. */
  public void isolation(String level) {
    isolation = level;
  }

  /** Whether it is read-only. */
  public void readOnly(boolean on) {
    readOnly = on ? Wish.YES : Wish.NO;
  }

  void clear() {
    isolation = "";
    readOnly = Wish.UNSAID;
  }

  /**
   * How a transaction begins, which is the next one: nothing is said of any other.
   *
   * @param ofSession whether the session's are read-only
   */
  public TransactionOptions take(boolean ofSession) {
    return take(ofSession, Wish.UNSAID, false);
  }

  /**
   * Takes the options where a statement begins the transaction.
   *
   * @param ofStatement whether that says READ ONLY or READ WRITE
   */
  public TransactionOptions take(boolean ofSession, Wish ofStatement, boolean consistentSnapshot) {
    Wish said = ofStatement == Wish.UNSAID ? readOnly : ofStatement;
    boolean reads = said == Wish.UNSAID ? ofSession : said == Wish.YES;
    String level = isolation;
    clear();
    if (level.isEmpty() && !consistentSnapshot) {
      return reads ? TransactionOptions.READ_ONLY : TransactionOptions.PLAIN;
    }
    return new TransactionOptions(level, reads, consistentSnapshot);
  }
}
