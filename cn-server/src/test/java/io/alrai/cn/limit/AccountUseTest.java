package io.alrai.cn.limit;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.alrai.cn.settings.CountedStatement;
import io.alrai.common.error.AlraiException;
import io.alrai.gms.api.AccountLimits;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

class AccountUseTest {
  private static final long HOUR = TimeUnit.HOURS.toMillis(1);

  private long now = 1_000;
  private final AccountUse use = new AccountUse("it's@%", new AccountLimits(4, 2, 0, 0), () -> now);

  private void select() {
    use.statement(true, CountedStatement.SELECT);
  }

  private void refused(CountedStatement kind, String resource, int limit) {
    AlraiException error = assertThrows(AlraiException.class, () -> use.statement(true, kind));
    assertEquals(1226, error.errno());
    assertEquals(
        "User 'it's' has exceeded the '" + resource + "' resource (current value: " + limit + ")",
        error.sentence());
  }

  @Test
  void anHourBeginsWithTheFirst() {
    select();
    now += HOUR - 1;
    for (int i = 0; i < 3; i++) {
      select();
    }
    refused(CountedStatement.SELECT, "max_questions", 4);
    now += 1;
    select();
    assertEquals(new HourCounts(now, 1, 0, 0), use.own());
  }

  @Test
  void updatesAreCountedTwice() {
    use.statement(true, CountedStatement.INSERT);
    use.statement(false, CountedStatement.UPDATE); // which EXECUTE names
    refused(CountedStatement.DROP_TABLE, "max_updates", 2);
    use.statement(true, null);
    use.statement(true, CountedStatement.COMMIT);
    refused(CountedStatement.COMMIT, "max_questions", 4);
    refused(CountedStatement.DELETE, "max_questions", 4);
  }

  @Test
  void whatOthersHaveTold() {
    use.heard("cn-2@5", new HourCounts(500, 3, 0, 0));
    select();
    use.takeAsks();
    refused(CountedStatement.SELECT, "max_questions", 4);
    assertTrue(use.takeAsks(), "what others have told may be over");
    assertEquals(500, use.own().startMillis(), "the hour is that of the other");
    use.heard("cn-2@5", new HourCounts(0, 0, 0, 0));
    use.heard("cn-2@7", new HourCounts(900, 1, 0, 0)); // started again
    select();
    select();
    refused(CountedStatement.SELECT, "max_questions", 4);
    now = 500 + HOUR;
    for (int i = 0; i < 3; i++) {
      select();
    }
    refused(CountedStatement.SELECT, "max_questions", 4);
    now = 900 + HOUR;
    select();
  }

  @Test
  void othersAreAskedWhereThereIsSomethingToTell() {
    assertFalse(use.takeAsks());
    select();
    assertTrue(use.takeAsks());
    assertFalse(use.takeAsks());
  }

  @Test
  void otherLimitsBeginAnew() {
    select();
    use.heard("cn-2@5", new HourCounts(500, 3, 0, 0));
    use.limits(new AccountLimits(4, 2, 0, 0));
    refused(CountedStatement.SELECT, "max_questions", 4);
    use.limits(new AccountLimits(5, 2, 0, 0));
    assertEquals(HourCounts.NONE, use.own());
    select();
    use.limits(AccountLimits.NONE);
    for (int i = 0; i < 10; i++) {
      select();
    }
    assertEquals(HourCounts.NONE, use.own());
  }
}
