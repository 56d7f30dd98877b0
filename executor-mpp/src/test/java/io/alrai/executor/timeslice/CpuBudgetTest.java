package io.alrai.executor.timeslice;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;

/** When how much may be spent. */
class CpuBudgetTest {
  private static final long MILLI = 1_000_000L;

  @Test
  void withoutARateNobodyWaits() {
    CpuBudget budget = new CpuBudget(20 * MILLI);
    assertFalse(budget.isLimited());
    budget.spend(1_000_000 * MILLI, 5);
    assertEquals(0, budget.waitNanos(6));
  }

  @Test
  void debtsArePaidAtTheRate() {
    CpuBudget budget = new CpuBudget(20 * MILLI);
    budget.rate(0.5, 0);
    assertEquals(0, budget.waitNanos(0));
    budget.spend(50 * MILLI, 0);
    // 30 ms of debt come in 60 ms
    long wait = budget.waitNanos(0);
    assertTrue(wait >= 60 * MILLI && wait < 61 * MILLI, wait + " ns");
    assertEquals(0, budget.waitNanos(wait));
  }

  @Test
  void overALongTimeTheRateIsKeptHoweverItIsSpent() {
    CpuBudget budget = new CpuBudget(20 * MILLI);
    budget.rate(0.5, 0);
    long now = 0;
    long spent = 0;
    for (int i = 0; i < 1_000; i++) {
      now += budget.waitNanos(now);
      long slice = (1 + i % 10) * MILLI;
      now += slice;
      spent += slice;
      budget.spend(slice, now);
    }
    assertEquals(0.5, (double) spent / now, 0.01);
  }

  @Test
  void onlySoMuchIsSaved() {
    CpuBudget budget = new CpuBudget(20 * MILLI);
    budget.rate(0.1, 0);
    budget.spend(20 * MILLI, 3_600_000 * MILLI);
    assertTrue(budget.waitNanos(3_600_000 * MILLI) > 0, "an hour was saved up");
  }
}
