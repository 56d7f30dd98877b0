package io.alrai.cn.analytic;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.alrai.common.error.AlraiException;
import io.alrai.executor.task.Cancellation;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Supplier;
import org.junit.jupiter.api.Test;

/** Who does the work, and what reaches whom. */
class AnalyticThreadsTest {
  private final AtomicBoolean isolated = new AtomicBoolean(true);
  private final AtomicLong processor = new AtomicLong();
  private final AtomicLong charged = new AtomicLong();
  private final AtomicLong debt = new AtomicLong();
  private final AnalyticThreads threads =
      new AnalyticThreads(isolated::get, processor::get, charged::addAndGet, debt::get);

  @Test
  void itIsDoneElsewhereAndCounted() {
    String name =
        threads.call(() -> {
          processor.addAndGet(7);
          return Thread.currentThread().getName();
        });
    assertTrue(name.startsWith("ap-session-"), name);
    assertEquals(7, charged.get());
    isolated.set(false);
    String equal = threads.call(() -> Thread.currentThread().getName());
    assertTrue(equal.startsWith("ap-equal-session-"), equal);
  }

  @Test
  void whatTurnsOutToBeNoneOfAQueryIsNotCharged() {
    Supplier<String> work =
        () -> {
          processor.addAndGet(7);
          return "rows";
        };
    threads.call(work, made -> !made.equals("rows"));
    assertEquals(0, charged.get());
    threads.call(work, made -> made.equals("rows"));
    assertEquals(7, charged.get());
  }

  @Test
  void longWorkIsChargedOnItsWayAndWaitsWhileThereIsDebt() {
    Cancellation cancellation = new Cancellation();
    AtomicInteger looks = new AtomicInteger();
    AnalyticThreads indebted =
        new AnalyticThreads(
            isolated::get,
            processor::get,
            charged::addAndGet,
            () -> looks.incrementAndGet() < 4 ? 1 : 0);
    long onTheWay =
        indebted.call(() -> {
          processor.addAndGet(7);
          indebted.pace(cancellation);
          long paid = charged.get();
          processor.addAndGet(5);
          return paid;
        });
    indebted.close();
    assertEquals(7, onTheWay);
    assertEquals(12, charged.get());
    assertEquals(4, looks.get());
  }

  @Test
  void whoWaitsForProcessorTimeCanBeEnded() {
    debt.set(3_600_000_000_000L);
    Cancellation cancellation = new Cancellation();
    cancellation.cancel();
    AlraiException e =
        assertThrows(
            AlraiException.class,
            () ->
                threads.call(() -> {
                  threads.pace(cancellation);
                  return "";
                }));
    assertEquals(1317, e.errno());
  }

  @Test
  void failuresComeBackAsTheyAre() {
    IllegalStateException failure = new IllegalStateException("on purpose");
    assertSame(
        failure,
        assertThrows(
            IllegalStateException.class,
            () ->
                threads.call(() -> {
                  throw failure;
                })));
  }

  @Test
  void anInterruptReachesTheWorkWhoseEndIsWaitedFor() throws InterruptedException {
    CountDownLatch begun = new CountDownLatch(1);
    AtomicReference<String> end = new AtomicReference<>("not ended");
    AtomicBoolean still = new AtomicBoolean();
    Thread caller =
        Thread.ofVirtual()
            .start(() -> {
              end.set(threads.call(() -> untilInterrupted(begun)));
              still.set(Thread.currentThread().isInterrupted());
            });
    begun.await();
    caller.interrupt();
    caller.join();
    assertEquals("interrupted", end.get());
    assertTrue(still.get());
    assertTrue(!threads.call(() -> Thread.currentThread().isInterrupted()));
  }

  private static String untilInterrupted(CountDownLatch begun) {
    begun.countDown();
    try {
      new CountDownLatch(1).await();
      return "ended";
    } catch (InterruptedException e) {
      return "interrupted";
    }
  }
}
