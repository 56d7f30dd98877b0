package io.alrai.cn.analytic;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;

/** Who does the work, and what reaches whom. */
class AnalyticThreadsTest {
  private final AtomicBoolean isolated = new AtomicBoolean(true);
  private final AtomicLong processor = new AtomicLong();
  private final AtomicLong charged = new AtomicLong();
  private final AnalyticThreads threads =
      new AnalyticThreads(isolated::get, processor::get, charged::addAndGet);

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
