package io.alrai.cn.pressure;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.alrai.cn.turn.PlaceQueue;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.atomic.LongAdder;
import org.junit.jupiter.api.Test;

/**
 * An event loop that answers everything by itself, and its clients, each of which sends the next
 * statement when it has an answer to the last: in each pass the loop reads what has come, then it
 * does its tasks. Costs are about those of a point SELECT whose reply is kept.
 */
class LateLoopSimTest {
  private static final int CLIENTS = 1_024;
  private static final long READ_NANOS = 6_000;
  private static final long RUN_NANOS = 9_000;
  private static final long REFUSAL_NANOS = 5_000;
  private static final double PEAK = 1e9 / (READ_NANOS + RUN_NANOS);
  private static final long WAIT_MILLIS = 100;
  private static final long MILLI = 1_000_000;

  private final Random dice = new Random(11);
  private final SimulatedTime time = new SimulatedTime();
  private final SimulatedTime.Later arriving = time.later();
  private final SimulatedTime.Later timers = time.later();
  private final ArrayDeque<Runnable> tasks = new ArrayDeque<>();
  private final ArrayDeque<Client> readable = new ArrayDeque<>();
  private final LongAdder refusals = new LongAdder();
  private final Pressure cn = new Pressure(refusals, time::now);
  private final List<Double> tookMillis = new ArrayList<>();
  private final PressureQueue queue =
      new PressureQueue(
          cn,
          time::now,
          new LoopTasks() {
            @Override
            public void execute(Runnable task) {
              tasks.add(task);
            }

            @Override
            public void schedule(Runnable task, long nanos) {
              timers.in(nanos, task);
            }
          });
  private double rate;
  private double due;
  private long end;

  /** One connection. */
  private final class Client implements PlaceQueue.Waiter {
    private double came;
    private boolean waits;
    private long waited;

    /** It sends its next statement when that is due; what came while none was free is lost. */
    void next() {
      due = Math.max(due, time.now() - MILLI) - Math.log(1 - dice.nextDouble()) * 1e9 / rate;
      came = due;
      if (due < end) {
        arriving.at((long) Math.max(due, time.now()), () -> readable.add(this));
      }
    }

    void read() {
      time.spend(READ_NANOS);
      if (queue.enter(this) == PlaceQueue.Answer.WAITS) {
        waits = true;
        long wait = ++waited;
        timers.in(queue.waitMillis() * MILLI, () -> late(wait == waited));
      } else {
        run();
      }
    }

    private void run() {
      time.spend(RUN_NANOS);
      tookMillis.add((time.now() - came) / 1e6);
      queue.leave(this);
      next();
    }

    private void late(boolean stillWaits) {
      if (waits && stillWaits) {
        waits = false;
        time.spend(REFUSAL_NANOS);
        queue.withdraw(this, true);
        next();
      }
    }

    @Override
    public void goesOn(boolean hasPlace) {
      tasks.add(() -> {
        if (waits) {
          waits = false;
          run();
        } else {
          queue.leave(this);
        }
      });
    }
  }

  private void pass() {
    if (readable.isEmpty() && tasks.isEmpty()) {
      time.reach(Math.min(Math.min(arriving.next(), timers.next()), time.now() + MILLI));
    }
    while (arriving.next() <= time.now()) {
      arriving.take().run();
    }
    for (int i = readable.size(); i > 0; i--) {
      readable.remove().read();
    }
    while (timers.next() <= time.now()) {
      tasks.add(timers.take());
    }
    while (!tasks.isEmpty()) {
      tasks.remove().run();
    }
  }

  /** Statements at a rate for so many seconds, those of the second half are measured. */
  private double goodput(double load, int seconds) {
    rate = load * PEAK;
    due = time.now();
    long start = time.now();
    end = start + seconds * 1_000 * MILLI;
    for (int i = 0; i < CLIENTS; i++) {
      new Client().next();
    }
    long half = start + seconds * 500 * MILLI;
    while (time.now() < half) {
      pass();
    }
    tookMillis.clear();
    while (time.now() < end) {
      pass();
    }
    double goodput = tookMillis.size() / (seconds / 2.0);
    while (Math.min(arriving.next(), timers.next()) < Long.MAX_VALUE || !readable.isEmpty()) {
      pass(); // what is left
    }
    return goodput;
  }

  private double p99() {
    List<Double> sorted = tookMillis.stream().sorted().toList();
    return sorted.get(sorted.size() * 99 / 100);
  }

  @Test
  void moreThanTheLoopCanRead() {
    cn.waitMillis(WAIT_MILLIS);
    assertEquals(0.8 * PEAK, goodput(0.8, 4), 0.02 * PEAK);
    assertEquals(0, refusals.sum());
    double calm = p99();
    for (double load : new double[] {1.2, 2, 4}) {
      double goodput = goodput(load, 4);
      System.out.printf(
          "load %.1f: %.0f/s of %.0f, p99 %.2f ms (%.2f at 0.8), %d refused%n",
          load, goodput, PEAK, p99(), calm, refusals.sum());
      assertTrue(goodput >= 0.9 * PEAK, goodput + "/s at " + load);
      // half of what all of them would wait for each other
      assertTrue(p99() <= CLIENTS / PEAK * 500, p99() + " ms at " + load);
      refusals.reset();
      assertEquals(0, queue.shownWaiting());
    }
    assertEquals(0.8 * PEAK, goodput(0.8, 4), 0.02 * PEAK);
    assertEquals(0, refusals.sum(), "after that");
  }

  /** All at once, but no more than can be done: all are answered, in their order. */
  @Test
  void aBurst() {
    cn.waitMillis(WAIT_MILLIS);
    rate = 1e12;
    due = time.now();
    end = time.now() + MILLI;
    for (int i = 0; i < CLIENTS; i++) {
      new Client().next();
    }
    end = 0; // one statement each
    for (int i = 0; i < 20; i++) {
      pass();
    }
    assertEquals(CLIENTS, tookMillis.size());
    assertEquals(tookMillis.stream().sorted().toList(), tookMillis);
    assertEquals(0, refusals.sum());
    assertEquals(0, queue.shownWaiting());
  }

  @Test
  void itIsSwitchedOffWhileManyWait() {
    cn.waitMillis(WAIT_MILLIS);
    rate = 4 * PEAK;
    due = time.now();
    end = time.now() + 50 * MILLI;
    for (int i = 0; i < CLIENTS; i++) {
      new Client().next();
    }
    while (queue.shownWaiting() == 0) {
      pass();
    }
    cn.waitMillis(0);
    for (int i = 0; i < 3; i++) {
      pass();
    }
    assertEquals(0, queue.shownWaiting());
  }
}
