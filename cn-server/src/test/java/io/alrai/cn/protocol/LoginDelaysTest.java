package io.alrai.cn.protocol;

import static org.junit.jupiter.api.Assertions.assertEquals;

import org.junit.jupiter.api.Test;

class LoginDelaysTest {
  private final LoginDelays delays = new LoginDelays();

  private long wrong(String user, long nowMillis) {
    long millis = delays.millis(user, "h", nowMillis);
    delays.tried(user, "h", false, nowMillis);
    return millis;
  }

  @Test
  void theyGrowToABoundAndAreForgiven() {
    for (int i = 0; i < 3; i++) {
      assertEquals(0, wrong("u", 0));
    }
    for (int i = 1; i < 20; i++) {
      assertEquals(Math.min(i * 1000, 8000), wrong("u", 0));
    }
    assertEquals(8000, wrong("u", 900_000));
    assertEquals(0, wrong("u", 1_800_001));
    delays.tried("u", "h", true, 1_800_002);
    assertEquals(0, wrong("u", 1_800_003));
  }

  @Test
  void manyUsersTakeABoundedPlace() {
    for (int i = 0; i < 4; i++) {
      wrong("u", 0);
    }
    for (int i = 0; i < 9_998; i++) {
      wrong("x".repeat(1000) + "\n" + i, 0);
      wrong("n" + i, 0);
    }
    assertEquals(2000, wrong("u", 0));
    for (int i = 0; i < 10_000; i++) {
      wrong("m" + i, 0);
    }
    assertEquals(0, wrong("u", 0));
  }
}
