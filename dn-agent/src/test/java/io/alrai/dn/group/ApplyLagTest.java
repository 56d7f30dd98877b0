package io.alrai.dn.group;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.alrai.dn.binlog.Gtid;
import io.alrai.dn.binlog.GtidSet;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

class ApplyLagTest {
  private static final UUID ORIGIN = new UUID(1, 2);

  private final AtomicLong nanos = new AtomicLong(-5);
  private final ApplyLag lag = new ApplyLag(nanos::get);

  private void pass(long millis) {
    nanos.addAndGet(TimeUnit.MILLISECONDS.toNanos(millis));
  }

  private void commit(long number) {
    lag.committed(number, new Gtid(ORIGIN, "", number));
  }

  private void execute(long upTo) {
    lag.executed(GtidSet.parse(ORIGIN + ":1-" + upTo));
  }

  @Test
  void itIsTheAgeOfTheOldestThatIsNotApplied() {
    assertEquals(0, lag.millis());
    assertEquals(7, lag.applied(7), "nothing is missing");
    commit(1);
    assertEquals(-1, lag.applied(1));
    pass(100);
    commit(2);
    pass(100);
    assertTrue(lag.isBehind());
    assertEquals(200, lag.millis());
    execute(1);
    assertEquals(100, lag.millis());
    assertEquals(1, lag.applied(2));
    execute(2);
    assertEquals(0, lag.millis());
    assertEquals(9, lag.applied(9), "what came after it is no transaction");
    assertFalse(lag.isBehind());
    pass(1_000);
    assertEquals(0, lag.millis());
    commit(3);
    pass(7);
    assertEquals(7, lag.millis());
  }

  @Test
  void whatComesTogetherCountsFromTheFirst() {
    commit(1);
    pass(5);
    commit(2);
    pass(5);
    execute(1);
    assertEquals(10, lag.millis());
    execute(2);
    assertEquals(0, lag.millis());
    commit(3);
    assertEquals(0, lag.millis());
    assertTrue(lag.isBehind());
  }

  @Test
  void aLeaderKnowsHowFarAnotherOneIsBehind() {
    commit(1);
    pass(100);
    commit(2);
    lag.all();
    assertEquals(0, lag.millis());
    pass(50);
    assertEquals(50, lag.millis(1));
    assertEquals(150, lag.millis(-1));
    assertEquals(0, lag.millis(2));
  }

  @Test
  void itIsLongOfAMysqldThatStandsForADay() {
    int second = 1;
    for (; second <= 86_400; second++) {
      commit(second);
      pass(1_000);
    }
    assertEquals(86_400_000, lag.millis());
    execute(second);
    assertEquals(0, lag.millis());
    commit(second);
    assertTrue(lag.isBehind());
  }
}
