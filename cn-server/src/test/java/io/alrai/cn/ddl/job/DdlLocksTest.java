package io.alrai.cn.ddl.job;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.alrai.common.error.AlraiException;
import io.alrai.common.error.ErrorCode;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

/** Which waits for metadata locks are short, and which come one after the other. */
class DdlLocksTest {
  private static final String TIMEOUT = "lock_wait_timeout";

  private final DdlLocks locks = new DdlLocks();
  private final List<String> waits = new ArrayList<>();

  private static AlraiException refused(ErrorCode code) {
    return new AlraiException(code, "refused");
  }

  @Test
  void aStatementThatGetsItsLockRunsOnce() {
    assertEquals(
        "done",
        locks.locking(
            Map.of("sql_mode", "''"),
            settings -> {
              waits.add(settings.toString());
              return "done";
            }));
    assertEquals(List.of("{lock_wait_timeout=3, sql_mode=''}"), waits);
  }

  @Test
  void oneThatIsRefusedItsLockWaitsForAsLongAsItsSessionDoes() {
    AlraiException late =
        assertThrows(
            AlraiException.class,
            () ->
                locks.locking(
                    Map.of(TIMEOUT, "50"),
                    settings -> {
                      waits.add(settings.getOrDefault(TIMEOUT, ""));
                      throw refused(ErrorCode.ER_LOCK_WAIT_TIMEOUT);
                    }));
    assertEquals(ErrorCode.ER_LOCK_WAIT_TIMEOUT.errno(), late.errno());
    assertEquals(List.of("3", "6", "12", "24", "8"), waits);
  }

  /** Else it would copy for ever: a copy that takes an hour for each short wait. */
  @Test
  void whatCopiesBeforeItNeedsItsLockWaitsLongerForIt() {
    AtomicLong nanos = new AtomicLong();
    DdlLocks copying = new DdlLocks(nanos::get);
    assertThrows(
        AlraiException.class,
        () ->
            copying.locking(
                Map.of(TIMEOUT, "5000"),
                settings -> {
                  String wait = settings.getOrDefault(TIMEOUT, "");
                  waits.add(wait);
                  nanos.addAndGet(TimeUnit.SECONDS.toNanos(1_000 + Long.parseLong(wait)));
                  throw refused(ErrorCode.ER_LOCK_WAIT_TIMEOUT);
                }));
    assertEquals(List.of("3", "500", "1000", "2000", "1500"), waits);
  }

  @Test
  void aShorterWaitThanTheShortOneIsTheOnlyOne() {
    assertThrows(
        AlraiException.class,
        () ->
            locks.locking(
                Map.of(TIMEOUT, "1"),
                settings -> {
                  waits.add(settings.getOrDefault(TIMEOUT, ""));
                  throw refused(ErrorCode.ER_LOCK_WAIT_TIMEOUT);
                }));
    assertEquals(List.of("1"), waits);
  }

  @Test
  void otherErrorsAreTold() {
    assertThrows(
        AlraiException.class,
        () ->
            locks.locking(
                Map.of(),
                settings -> {
                  waits.add("once");
                  throw refused(ErrorCode.ER_NO_SUCH_TABLE);
                }));
    assertEquals(List.of("once"), waits);
  }

  @Test
  void longWaitsComeOneAfterTheOther() throws Exception {
    AtomicInteger waiting = new AtomicInteger();
    AtomicInteger most = new AtomicInteger();
    try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
      List<Future<Integer>> all = new ArrayList<>();
      for (int i = 0; i < 8; i++) {
        all.add(
            threads.submit(() ->
                locks.<Integer>locking(
                    Map.of(),
                    settings -> {
                      if (settings.get(TIMEOUT).equals("3")) {
                        throw refused(ErrorCode.ER_LOCK_WAIT_TIMEOUT);
                      }
                      most.accumulateAndGet(waiting.incrementAndGet(), Math::max);
                      Thread.yield();
                      return waiting.decrementAndGet();
                    })));
      }
      for (Future<Integer> one : all) {
        assertEquals(0, one.get());
      }
    }
    assertEquals(1, most.get());
  }
}
