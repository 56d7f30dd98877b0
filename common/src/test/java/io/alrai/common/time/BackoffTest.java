package io.alrai.common.time;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.time.Duration;
import java.util.Arrays;
import org.junit.jupiter.api.Test;

final class BackoffTest {
  @Test
  void theFirstRestartIsAtOnceAndLaterOnesWaitLonger() {
    Backoff backoff = new Backoff();
    long[] pauses = new long[9];
    for (int i = 0; i < pauses.length; i++) {
      pauses[i] = backoff.pauseAfter(Duration.ofSeconds(1)).toMillis();
    }
    assertEquals("[0, 100, 200, 400, 800, 1600, 3200, 5000, 5000]", Arrays.toString(pauses));
  }

  @Test
  void whatStayedUpIsStartedAgainAtOnce() {
    Backoff backoff = new Backoff();
    for (int i = 0; i < 5; i++) {
      assertTrue(backoff.pauseAfter(Duration.ZERO).toMillis() < 1_000);
    }
    assertEquals(Duration.ZERO, backoff.pauseAfter(Duration.ofSeconds(10)));
    assertEquals(100, backoff.pauseAfter(Duration.ZERO).toMillis());
  }

  @Test
  void aRenewalIsNoFailure() {
    Backoff backoff = new Backoff();
    for (int i = 0; i < 3; i++) {
      assertEquals(Duration.ZERO, backoff.renewedAfter(Duration.ofSeconds(1)));
    }
    assertEquals(0, backoff.pauseAfter(Duration.ZERO).toMillis());
    assertEquals(Duration.ZERO, backoff.renewedAfter(Duration.ofSeconds(1)));
    assertEquals(100, backoff.pauseAfter(Duration.ZERO).toMillis());
    assertEquals(Duration.ZERO, backoff.renewedAfter(Duration.ofSeconds(10)));
    assertEquals(0, backoff.pauseAfter(Duration.ZERO).toMillis());
  }
}
