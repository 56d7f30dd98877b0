package io.alrai.executor.timeslice;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.LongSupplier;
import org.junit.jupiter.api.Test;

/** Who runs when, on a clock of the test's own. */
class SliceSchedulerTest {
  private static final long SLICE = 500_000_000L;
  private final AtomicLong now = new AtomicLong();

  private SliceScheduler oneThread() {
    return new SliceScheduler(
        1, CpuShare.EQUAL, new SliceScheduler.Time(now::get, now::get), new LongAdder());
  }

  /** A task that takes so many slices of its own and notes each. */
  private SliceScheduler.Task slices(String name, int count, List<String> log) {
    AtomicInteger left = new AtomicInteger(count);
    return deadline -> {
      assertEquals(now.get() + SLICE, deadline);
      log.add(name);
      now.addAndGet(SLICE);
      return left.decrementAndGet() == 0 ? SliceScheduler.Turn.DONE : SliceScheduler.Turn.YIELDED;
    };
  }

  /** Keeps the thread busy, so that what is queued meanwhile begins together. */
  private static CompletableFuture<Void> hold(SliceScheduler scheduler, CountDownLatch until) {
    return scheduler.submit(
        new SliceScheduler.Account(),
        deadline -> {
          awaitQuietly(until);
          return SliceScheduler.Turn.DONE;
        });
  }

  @Test
  void tasksOfOneLevelTakeTurnsAndShortQueriesPassLongOnes() {
    List<String> log = new ArrayList<>();
    CountDownLatch ready = new CountDownLatch(1);
    try (SliceScheduler scheduler = oneThread()) {
      CompletableFuture<Void> gate = hold(scheduler, ready);
      SliceScheduler.Account longOne = new SliceScheduler.Account();
      CompletableFuture<Void> a = scheduler.submit(longOne, slices("long", 6, log));
      CompletableFuture<Void> b =
          scheduler.submit(new SliceScheduler.Account(), slices("short", 2, log));
      ready.countDown();
      CompletableFuture.allOf(gate, a, b).join();
      assertEquals(6 * SLICE, longOne.nanos());
    }
    assertEquals(List.of("long", "short", "long", "short"), log.subList(0, 4));
    assertEquals(8, log.size());
  }

  @Test
  void aLevelBelowIsNotStarved() {
    List<String> log = new ArrayList<>();
    CountDownLatch ready = new CountDownLatch(1);
    try (SliceScheduler scheduler = oneThread()) {
      SliceScheduler.Account old = new SliceScheduler.Account();
      scheduler.submit(old, slices("old", 4, new ArrayList<>())).join();
      hold(scheduler, ready);
      List<CompletableFuture<Void>> all = new ArrayList<>();
      all.add(scheduler.submit(old, slices("old", 3, log)));
      for (int i = 0; i < 12; i++) {
        all.add(scheduler.submit(new SliceScheduler.Account(), slices("new", 1, log)));
      }
      ready.countDown();
      CompletableFuture.allOf(all.toArray(CompletableFuture[]::new)).join();
    }
    assertTrue(log.indexOf("old") < 6, log.toString());
    assertTrue(log.subList(0, 9).contains("new"), log.toString());
  }

  /** Short queries that come while the only task of a long one has its slice, and go on coming. */
  @Test
  void aLongQueryThatWasAloneIsNotStarvedByLaterOnes() {
    List<String> log = new ArrayList<>();
    try (SliceScheduler scheduler = oneThread()) {
      SliceScheduler.Account old = new SliceScheduler.Account();
      scheduler.submit(old, slices("old", 60, new ArrayList<>())).join();
      List<CompletableFuture<Void>> all = new ArrayList<>();
      SliceScheduler.Task last = slices("old", 2, log);
      scheduler
          .submit(
              old,
              deadline -> {
                if (all.isEmpty()) {
                  for (int i = 0; i < 40; i++) {
                    all.add(scheduler.submit(new SliceScheduler.Account(), slices("new", 1, log)));
                  }
                }
                return last.run(deadline);
              })
          .join();
      CompletableFuture.allOf(all.toArray(CompletableFuture[]::new)).join();
    }
    assertTrue(log.lastIndexOf("old") < 20, log.toString());
  }

  @Test
  void failuresReachTheWaiterAndTheThreadGoesOn() {
    try (SliceScheduler scheduler = oneThread()) {
      CompletableFuture<Void> failed =
          scheduler.submit(
              new SliceScheduler.Account(),
              deadline -> {
                throw new IllegalStateException("on purpose");
              });
      CompletionException e = assertThrows(CompletionException.class, failed::join);
      assertEquals("on purpose", e.getCause().getMessage());
      scheduler.submit(new SliceScheduler.Account(), deadline -> SliceScheduler.Turn.DONE).join();
    }
  }

  @Test
  void closingFailsWhatWaits() {
    SliceScheduler scheduler = oneThread();
    scheduler.close();
    CompletableFuture<Void> late =
        scheduler.submit(new SliceScheduler.Account(), deadline -> SliceScheduler.Turn.DONE);
    assertThrows(CompletionException.class, late::join);
  }

  @Test
  void isolatedTasksRunOnThreadsThatGiveWay() {
    try (SliceScheduler scheduler = oneThread()) {
      assertEquals("ap-equal-0", threadOf(scheduler));
      scheduler.share(new CpuShare(true, 0, Duration.ofMillis(500)));
      assertEquals("ap-low-0", threadOf(scheduler));
      scheduler.share(CpuShare.EQUAL);
      assertEquals("ap-equal-0", threadOf(scheduler));
    }
  }

  private static String threadOf(SliceScheduler scheduler) {
    List<String> names = new ArrayList<>();
    scheduler
        .submit(
            new SliceScheduler.Account(),
            deadline -> {
              names.add(Thread.currentThread().getName());
              return SliceScheduler.Turn.DONE;
            })
        .join();
    return names.getFirst();
  }

  @Test
  void aQuotaIsKeptByPauses() {
    // a pause takes as long as it has to, and a look at the clock a little
    LongSupplier wall = () -> now.addAndGet(1_000L);
    SliceScheduler.Pause pause =
        (work, nanos) -> {
          if (nanos == Long.MAX_VALUE) {
            work.await();
          } else {
            now.addAndGet(nanos);
          }
        };
    AtomicLong processor = new AtomicLong();
    LongAdder spent = new LongAdder();
    CpuShare quarter = new CpuShare(false, 25, Duration.ofMillis(500));
    AtomicInteger left = new AtomicInteger(40);
    try (SliceScheduler scheduler =
        new SliceScheduler(
            1, quarter, new SliceScheduler.Time(wall, processor::get, pause), spent)) {
      long start = now.get();
      scheduler
          .submit(
              new SliceScheduler.Account(),
              deadline -> {
                assertTrue(deadline - now.get() <= 10_000_000L, "a slice of more than 10 ms");
                now.addAndGet(10_000_000L);
                processor.addAndGet(10_000_000L);
                return left.decrementAndGet() == 0
                    ? SliceScheduler.Turn.DONE
                    : SliceScheduler.Turn.YIELDED;
              })
          .join();
      double share = (double) spent.sum() / (now.get() - start);
      // 20 ms may be saved up, and the last slice is not paid for yet
      assertTrue(share < 0.27, "had " + share + " of a processor");
      assertTrue(share > 0.24, "had " + share + " of a processor");
    }
    assertEquals(400_000_000L, spent.sum());
  }

  @Test
  void anIsolatedShareHasNoMoreThanOthersLeave() {
    Duration slice = Duration.ofMillis(500);
    try (SliceScheduler scheduler =
        new SliceScheduler(
            1,
            new CpuShare(true, 50, slice),
            new SliceScheduler.Time(now::get, () -> 0),
            new LongAdder())) {
      assertEquals(0.5, rate(scheduler), 0.001);
      scheduler.leave(0.1);
      assertEquals(0.1, rate(scheduler), 0.001);
      scheduler.leave(1.5);
      assertEquals(0.5, rate(scheduler), 0.001);
      scheduler.share(new CpuShare(true, 0, slice));
      scheduler.leave(0.2);
      assertEquals(0.2, rate(scheduler), 0.001);
      scheduler.share(new CpuShare(false, 0, slice));
      assertFalse(scheduler.isHeldBack());
      scheduler.share(new CpuShare(true, 0, slice));
      assertEquals(0.2, rate(scheduler), 0.001);
      scheduler.leave(0);
      assertFalse(scheduler.isHeldBack());
    }
  }

  /** How many processors it has, by the time that a debt of 100 ms takes. */
  private double rate(SliceScheduler scheduler) {
    assertTrue(scheduler.isHeldBack());
    now.addAndGet(scheduler.debtNanos());
    scheduler.charge(100_000_000L);
    long before = scheduler.debtNanos();
    scheduler.charge(100_000_000L);
    return 1e8 / (scheduler.debtNanos() - before);
  }

  @Test
  void whoseLocksOthersWaitForDoesNotWaitForProcessorTime() {
    List<String> log = new ArrayList<>();
    CpuShare isolated = new CpuShare(true, 0, Duration.ofMillis(500));
    // a clock that stands still: no processor time comes
    try (SliceScheduler scheduler =
        new SliceScheduler(
            1, isolated, new SliceScheduler.Time(now::get, () -> 0), new LongAdder())) {
      scheduler.leave(0.1);
      scheduler.charge(1_000_000_000L);
      SliceScheduler.Account locking = new SliceScheduler.Account();
      locking.hurry();
      CompletableFuture<Void> held =
          scheduler.submit(new SliceScheduler.Account(), logs("held", log));
      CompletableFuture<Void> hurries = scheduler.submit(locking, logs("hurries", log));
      hurries.join();
      assertFalse(held.isDone());
      assertTrue(scheduler.debtNanos() > 0);
      scheduler.leave(0);
      assertEquals(0, scheduler.debtNanos());
      held.join();
    }
    assertEquals(List.of("hurries", "held"), log);
  }

  private static SliceScheduler.Task logs(String name, List<String> log) {
    return deadline -> {
      log.add(name);
      return SliceScheduler.Turn.DONE;
    };
  }

  @Test
  void whatIsWithdrawnEndsWhileItWaits() {
    CountDownLatch ready = new CountDownLatch(1);
    try (SliceScheduler scheduler = oneThread()) {
      CompletableFuture<Void> gate = hold(scheduler, ready);
      SliceScheduler.Account account = new SliceScheduler.Account();
      List<String> log = new ArrayList<>();
      CompletableFuture<Void> waits = scheduler.submit(account, slices("never", 1, log));
      scheduler.withdraw(account, new IllegalStateException("on purpose"));
      CompletionException e = assertThrows(CompletionException.class, waits::join);
      assertEquals("on purpose", e.getCause().getMessage());
      CompletableFuture<Void> late = scheduler.submit(account, slices("never", 1, log));
      assertThrows(CompletionException.class, late::join);
      ready.countDown();
      gate.join();
      assertEquals(List.of(), log);
      scheduler.takeBack(account);
      scheduler.submit(account, slices("again", 1, log)).join();
      assertEquals(1, log.size());
    }
  }

  @Test
  void aSlowQueryIsToldOnce() {
    AtomicInteger told = new AtomicInteger();
    SliceScheduler.Account account = new SliceScheduler.Account(told::incrementAndGet);
    try (SliceScheduler scheduler = oneThread()) {
      scheduler.submit(account, slices("slow", 3, new ArrayList<>())).join();
      assertEquals(0, told.get());
      scheduler.submit(account, slices("slow", 3, new ArrayList<>())).join();
      assertEquals(1, told.get());
    }
  }

  private static void awaitQuietly(CountDownLatch latch) {
    try {
      latch.await();
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }
}
