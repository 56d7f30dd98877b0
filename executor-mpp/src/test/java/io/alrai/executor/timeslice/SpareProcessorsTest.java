package io.alrai.executor.timeslice;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.alrai.common.thread.ProcessorTimes;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** What is left to analytical work on a machine of two processors that the test makes up. */
class SpareProcessorsTest {
  private static final int COUNT = 2;

  /** As little as it ever is. */
  private static final double FLOOR = 0.06;

  private Optional<ProcessorTimes> machine = Optional.of(new ProcessorTimes(COUNT, 0, 0));
  private final SpareProcessors spare = new SpareProcessors(() -> machine);
  private long now = 1;
  private long statements;
  private long spent;

  /**
   * A period passes.
   *
   * @param came statements of transactions
   * @param idle processors that had nothing to do
   * @param had processors that analytical work had
   */
  private double period(int came, double idle, double had) {
    now += SpareProcessors.PERIOD_NANOS;
    statements += came;
    spent += (long) (had * SpareProcessors.PERIOD_NANOS);
    machine =
        machine.map(times ->
            new ProcessorTimes(COUNT, times.idle() + (long) (idle * 1_000), times.all() + 2_000));
    return spare.look(now, statements, spent);
  }

  @Test
  void withoutTransactionsThereIsNoLimit() {
    for (int i = 0; i < 20; i++) {
      assertEquals(0, period(0, 0, 2));
    }
  }

  @Test
  void aStatementNowAndThenIsNoTransaction() {
    for (int i = 0; i < 20; i++) {
      assertEquals(0, period(1, 0, 2));
    }
  }

  @Test
  void whereTransactionsKeepTheProcessorsBusyTheFloorIsLeft() {
    assertEquals(0, period(100, 0, 1));
    for (int i = 0; i < 20; i++) {
      assertEquals(FLOOR, period(100, 0.1, FLOOR), 1e-9);
    }
  }

  @Test
  void whatIsIdleIsLeftButForAReserve() {
    period(100, 1.2, 0);
    assertEquals(0.8, period(100, 1.2, 0), 1e-6);
    // what it has is not what others need
    for (int i = 0; i < 20; i++) {
      assertEquals(0.8, period(100, 0.4, 0.8), 1e-6);
    }
  }

  @Test
  void itFallsAtOnceAndGrowsByAQuarter() {
    period(100, 1.2, 0);
    assertEquals(0.8, period(100, 1.2, 0), 1e-6);
    assertEquals(FLOOR, period(100, 0.05, 0.1), 1e-6);
    assertEquals(FLOOR * 1.25, period(100, 2, 0), 1e-6);
    assertEquals(FLOOR * 1.25 * 1.25, period(100, 2, 0), 1e-6);
    double last = 0;
    for (int i = 0; i < 25; i++) {
      last = period(100, 2, 0);
    }
    assertEquals(1.6, last, 1e-6);
  }

  @Test
  void aSecondWithoutTransactionsEndsTheLimitAtOnce() {
    period(100, 0, 0.1);
    int limited = 0;
    assertEquals(FLOOR, period(100, 0, 0.1), 1e-9);
    while (period(0, 0, 0.1) > 0) {
      limited++;
      assertTrue(limited < 20);
    }
    assertEquals(4, limited);
    assertEquals(0, period(0, 0, 2));
    // the first look at a machine says nothing yet
    assertEquals(0, period(100, 0, 2));
    assertEquals(FLOOR, period(100, 0, 0.1), 1e-9);
  }

  @Test
  void whereNobodyKnowsTheProcessorsThereIsNoLimit() {
    machine = Optional.empty();
    for (int i = 0; i < 3; i++) {
      assertEquals(0, period(100, 0, 2));
    }
  }
}
