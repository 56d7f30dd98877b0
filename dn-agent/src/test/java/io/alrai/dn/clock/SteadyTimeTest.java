package io.alrai.dn.clock;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

class SteadyTimeTest {
  private long system = 1_000_000;
  private long monotonic = 77;
  private final SteadyTime time =
      new SteadyTime(() -> system, () -> TimeUnit.MILLISECONDS.toNanos(monotonic));

  private void pass(long millis) {
    system += millis;
    monotonic += millis;
  }

  @Test
  void followsTheSystemsClock() {
    assertEquals(1_000_000, time.getAsLong());
    pass(40);
    assertEquals(1_000_040, time.getAsLong());
  }

  @Test
  void followsStepsAhead() {
    system += 3_600_000;
    assertEquals(4_600_000, time.getAsLong());
    pass(1);
    assertEquals(4_600_001, time.getAsLong());
  }

  @Test
  void goesOnWhenTheSystemsClockIsSetBack() {
    pass(100);
    assertEquals(1_000_100, time.getAsLong());
    system -= 3_600_000;
    assertEquals(1_000_100, time.getAsLong());
    pass(10);
    assertEquals(1_000_110, time.getAsLong());
  }

  @Test
  void neverGoesBackUntilTheSystemsClockHasCaughtUp() {
    system -= 600;
    long last = time.getAsLong();
    long steps = 0;
    while (last != system) {
      pass(1);
      steps++;
      for (int read = 0; read < 2; read++) {
        long now = time.getAsLong();
        assertTrue(now >= last, now + " behind " + last);
        last = now;
      }
    }
    assertEquals(600L * SteadyTime.SLOWER, steps, SteadyTime.SLOWER);
    pass(500);
    assertEquals(system, time.getAsLong());
  }

  @Test
  void aSystemsClockThatRunsSlowerIsFollowed() {
    for (int i = 0; i < 1_000; i++) {
      pass(100);
      system -= 1;
      for (int read = 0; read < 10; read++) {
        monotonic += 2;
        system += 2;
        time.getAsLong();
      }
    }
    assertTrue(time.getAsLong() - system <= 2, time.getAsLong() - system + " ms ahead");
  }
}
