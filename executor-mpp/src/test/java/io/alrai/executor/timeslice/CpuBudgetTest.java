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
    CpuBudget budget = new CpuBudget(20 * MILLI, 100 * MILLI);
    assertFalse(budget.isLimited());
    budget.spend(1_000_000 * MILLI, 5);
    assertEquals(0, budget.waitNanos(6));
  }

  @Test
  void debtsArePaidAtTheRate() {
    CpuBudget budget = new CpuBudget(20 * MILLI, 100 * MILLI);
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
    CpuBudget budget = new CpuBudget(20 * MILLI, 100 * MILLI);
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
  void aNewRateLeavesWhatIsOwed() {
    CpuBudget budget = new CpuBudget(20 * MILLI, 100 * MILLI);
    budget.rate(0.5, 0);
    budget.spend(50 * MILLI, 0);
    // 10 ms of 30 come before, the others at the new rate
    budget.rate(0.1, 20 * MILLI);
    long wait = budget.waitNanos(20 * MILLI);
    assertTrue(wait >= 200 * MILLI && wait < 201 * MILLI, wait + " ns");
  }

  @Test
  void withoutALimitNothingIsOwed() {
    CpuBudget budget = new CpuBudget(20 * MILLI, 100 * MILLI);
    budget.spend(1_000 * MILLI, 5);
    budget.rate(0.1, 6);
    assertEquals(0, budget.waitNanos(6));
    budget.spend(50 * MILLI, 6);
    assertTrue(budget.waitNanos(6) > 0);
    budget.rate(0, 7);
    budget.rate(0.1, 8);
    assertEquals(0, budget.waitNanos(8));
  }

  @Test
  void onlySoMuchIsOwed() {
    CpuBudget budget = new CpuBudget(20 * MILLI, 100 * MILLI);
    budget.rate(0.1, 0);
    budget.spend(60_000 * MILLI, 0);
    long wait = budget.waitNanos(0);
    assertTrue(wait >= 1_000 * MILLI && wait < 1_001 * MILLI, wait + " ns");
  }

  @Test
  void onlySoMuchIsSaved() {
    CpuBudget budget = new CpuBudget(20 * MILLI, 100 * MILLI);
    budget.rate(0.1, 0);
    budget.spend(20 * MILLI, 3_600_000 * MILLI);
    assertTrue(budget.waitNanos(3_600_000 * MILLI) > 0, "an hour was saved up");
  }
}
