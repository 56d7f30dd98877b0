package io.alrai.executor.schedule;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.alrai.executor.memory.MemoryRegion;
import io.alrai.executor.timeslice.CpuShare;
import io.alrai.executor.timeslice.SliceScheduler;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.LongAdder;
import org.junit.jupiter.api.Test;

/** Who is let in when. */
class AdmissionTest {
  private final MemoryRegion memory = new MemoryRegion(1_000);
  private final Admission admission = new Admission(memory, 2, 1);

  private CompletableFuture<Admission.Place> enter(long least) {
    return admission.enter(least, 1_000);
  }

  @Test
  void fiftyAtOnceComeInInTheirOrder() {
    List<Integer> order = new ArrayList<>();
    Deque<Admission.Place> in = new ArrayDeque<>();
    for (int i = 0; i < 50; i++) {
      int number = i;
      enter(10)
          .thenAccept(place -> {
            order.add(number);
            in.add(place);
          });
    }
    assertEquals(2, in.size());
    assertEquals(48, admission.waiting());
    while (!in.isEmpty()) {
      in.remove().close();
    }
    for (int i = 0; i < 50; i++) {
      assertEquals(i, order.get(i));
    }
    assertEquals(0, memory.used());
  }

  @Test
  void whoDoesNotWantItAnyMoreKeepsNobodyOut() {
    CompletableFuture<Admission.Place> first = enter(10);
    CompletableFuture<Admission.Place> second = enter(10);
    CompletableFuture<Admission.Place> gone = enter(10);
    CompletableFuture<Admission.Place> last = enter(10);
    gone.cancel(false);
    first.join().close();
    assertTrue(last.isDone());
    second.join().close();
    last.join().close();
    assertEquals(0, memory.used());
  }

  @Test
  void memoryIsWaitedForAndTheLimitIsEnoughForAnybody() {
    Admission.Place first = enter(10).join();
    CompletableFuture<Admission.Place> large = enter(5_000);
    CompletableFuture<Admission.Place> small = enter(10);
    assertFalse(large.isDone());
    assertFalse(small.isDone());
    first.leave();
    assertFalse(large.isDone());
    first.close();
    assertTrue(large.isDone());
    assertEquals(1_000, memory.used());
    large.join().close();
    assertTrue(small.isDone());
  }

  @Test
  void slowOnesLetOthersInButNotAllOfThem() {
    AtomicLong now = new AtomicLong();
    try (SliceScheduler scheduler =
        new SliceScheduler(
            1, CpuShare.EQUAL, new SliceScheduler.Time(now::get, now::get), new LongAdder())) {
      Admission.Place first = enter(10).join();
      Admission.Place second = enter(10).join();
      CompletableFuture<Admission.Place> third = enter(10);
      CompletableFuture<Admission.Place> fourth = enter(10);
      runLong(scheduler, now, first);
      assertTrue(third.isDone());
      assertEquals(1, admission.slow());
      runLong(scheduler, now, second);
      assertFalse(fourth.isDone());
      first.close();
      assertFalse(fourth.isDone());
      assertEquals(0, admission.slow());
      second.close();
      assertTrue(fourth.isDone());
    }
  }

  private static void runLong(SliceScheduler scheduler, AtomicLong now, Admission.Place place) {
    scheduler
        .submit(
            place.account(),
            deadline -> {
              now.addAndGet(SliceScheduler.SLOW_NANOS);
              return SliceScheduler.Turn.DONE;
            })
        .join();
  }
}
