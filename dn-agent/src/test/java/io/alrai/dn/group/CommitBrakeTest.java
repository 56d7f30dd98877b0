package io.alrai.dn.group;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Map;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

class CommitBrakeTest {
  private final CommitBrake brake = new CommitBrake("a", () -> 1_000);

  private long look(Map<String, Long> lags) {
    brake.look(lags);
    return brake.millis();
  }

  @Test
  void itHoldsMoreAndMoreWhileTheBestLags() {
    assertEquals(0, look(Map.of("b", 1_000L)));
    assertEquals(1, look(Map.of("b", 1_001L)));
    assertEquals(2, look(Map.of("b", 1_200L)));
    assertEquals(4, look(Map.of("b", 1_400L)));
    assertEquals(4, look(Map.of("b", 900L)));
    assertEquals(3, look(Map.of("b", 500L)));
    assertEquals(2, look(Map.of("b", 0L)));
    assertEquals(1, look(Map.of("b", 0L)));
    assertEquals(0, look(Map.of("b", 0L)));
  }

  @Test
  void itNeverHoldsForLongerThanItsBound() {
    look(Map.of("b", 0L));
    for (int i = 0; i < 20; i++) {
      assertTrue(look(Map.of("b", 29_000L)) <= CommitBrake.MOST_MILLIS);
    }
    assertEquals(CommitBrake.MOST_MILLIS, brake.millis());
  }

  @Test
  void oneThatIsNearIsEnough() {
    look(Map.of("b", 0L, "c", 0L));
    assertEquals(0, look(Map.of("b", 5_000L, "c", 200L)));
    assertEquals(1, look(Map.of("b", 5_000L, "c", 1_200L)));
  }

  @Test
  void whoIsAwayOrComesBackIsNotWaitedFor() {
    look(Map.of("b", 0L));
    assertEquals(1, look(Map.of("b", 2_000L)));
    assertEquals(0, look(Map.of()));
    assertEquals(0, look(Map.of("b", 20_000L)));
    assertEquals(0, look(Map.of("b", 2_000L)));
    assertEquals(0, look(Map.of("b", 900L)));
    assertEquals(1, look(Map.of("b", 1_100L)));
  }

  @Test
  void whoIsTooFarAwayIsNotWaitedForUntilItHasCaughtUp() {
    look(Map.of("b", 0L));
    assertEquals(1, look(Map.of("b", CommitBrake.HOPELESS_MILLIS)));
    assertEquals(0, look(Map.of("b", CommitBrake.HOPELESS_MILLIS + 1)));
    assertEquals(0, look(Map.of("b", 2_000L)));
    assertEquals(0, look(Map.of("b", 0L)));
    assertEquals(1, look(Map.of("b", 2_000L)));
  }

  /** ALTER TABLE there takes ten seconds. */
  @Test
  void whoAppliesOneLongStatementIsNotWaitedForLong() {
    look(Map.of("b", 0L));
    long longest = 0;
    for (long lag = 1_100; lag <= 10_000; lag += CommitBrake.LOOK_MILLIS) {
      longest = Math.max(longest, look(Map.of("b", lag)));
    }
    assertTrue(longest > 0);
    assertTrue(longest < 50, "held for " + longest + " ms");
    assertEquals(0, brake.millis());
    assertEquals(0, look(Map.of("b", 200L)));
    assertEquals(1, look(Map.of("b", 1_100L)), "it is waited for again");
  }

  @Test
  void whoAppliesTooSlowlyIsWaitedFor() {
    look(Map.of("b", 0L));
    for (long lag = 1_100; lag <= 5_000; lag += CommitBrake.LOOK_MILLIS / 2) {
      look(Map.of("b", lag));
    }
    assertEquals(CommitBrake.MOST_MILLIS, brake.millis());
  }

  @Test
  void itHoldsNothingWhereNobodyWantsThat() {
    AtomicLong most = new AtomicLong(1_000);
    CommitBrake other = new CommitBrake("a", most::get);
    other.look(Map.of("b", 0L));
    other.look(Map.of("b", 20_000L));
    assertEquals(1, other.millis());
    most.set(0);
    other.look(Map.of("b", 20_000L));
    assertEquals(0, other.millis());
    look(Map.of("b", 0L));
    assertEquals(1, look(Map.of("b", 2_000L)));
    brake.release();
    assertEquals(0, brake.millis());
  }
}
