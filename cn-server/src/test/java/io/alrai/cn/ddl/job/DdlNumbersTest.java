package io.alrai.cn.ddl.job;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.alrai.gms.client.LocalGms;
import java.util.HashSet;
import java.util.Set;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

class DdlNumbersTest {
  private static final String JOBS = "ddl-job";

  private final LocalGms gms = new LocalGms(() -> 0);
  private final AtomicLong nanos = new AtomicLong();
  private final DdlNumbers one = new DdlNumbers(gms, nanos::get);
  private final DdlNumbers other = new DdlNumbers(gms, nanos::get);

  @Test
  void nobodyHasThatOfAnother() {
    Set<Long> given = new HashSet<>();
    for (int i = 0; i < 100; i++) {
      assertTrue(given.add(one.next(JOBS)));
      assertTrue(given.add(other.next(JOBS)));
    }
    assertEquals(1, one.next("table"));
  }

  @Test
  void whatFollowsAtOnceIsReservedAhead() {
    long first = one.next(JOBS);
    long reserved = gms.reserve(JOBS, 1).first();
    nanos.addAndGet(DdlNumbers.KEPT_NANOS);
    assertEquals(first + 1, one.next(JOBS));
    assertEquals(reserved + 1, gms.reserve(JOBS, 1).first());
  }

  /** Else the GMS would forget a job of this CN as soon as it has ended. */
  @Test
  void numbersOfAllCnsFollowTheTime() {
    one.next(JOBS);
    long last = 0;
    for (int i = 0; i < 200; i++) {
      last = other.next(JOBS);
    }
    nanos.addAndGet(DdlNumbers.KEPT_NANOS + 1);
    assertTrue(one.next(JOBS) > last);
  }
}
