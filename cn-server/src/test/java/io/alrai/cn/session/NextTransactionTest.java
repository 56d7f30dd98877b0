package io.alrai.cn.session;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.alrai.cn.snapshot.TransactionOptions;
import io.alrai.optimizer.api.AdminStatement.Wish;
import org.junit.jupiter.api.Test;

class NextTransactionTest {
  private final NextTransaction next = new NextTransaction();

  @Test
  void itIsSaidOfOneTransaction() {
    next.isolation("READ COMMITTED");
    next.readOnly(true);
    assertEquals(new TransactionOptions("READ COMMITTED", true, false), next.take(false));
    assertEquals(TransactionOptions.PLAIN, next.take(false));
    assertEquals(TransactionOptions.READ_ONLY, next.take(true));
  }

  @Test
  void itMayWriteWhereTheSessionsOthersMayNot() {
    next.readOnly(false);
    assertEquals(TransactionOptions.PLAIN, next.take(true));
    assertEquals(TransactionOptions.READ_ONLY, next.take(true));
  }

  @Test
  void theStatementThatBeginsItSaysTheLastWord() {
    next.readOnly(true);
    assertEquals(TransactionOptions.PLAIN, next.take(true, Wish.NO, false));
    next.readOnly(false);
    assertEquals(new TransactionOptions("", true, true), next.take(false, Wish.YES, true));
  }
}
