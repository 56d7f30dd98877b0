package io.alrai.testing;

import static org.junit.jupiter.api.Assertions.fail;

import java.util.List;
import java.util.function.LongFunction;
import org.junit.jupiter.api.TestReporter;

/** Simulations of models with a broken rule, which must show what follows from it. Stateless. */
public final class BrokenRules {
  private BrokenRules() {}

  /**
   * Runs until a seed shows a fault that comes from the broken rule: the same seed is clean
   * without.
   *
   * @param from the first seed, not far from one that shows it
   * @param seeds how many, at most
   * @param broken the faults of a run with the broken rule
   * @param whole the faults of a run with all rules
   */
  public static void expectFault(
      long from,
      int seeds,
      LongFunction<List<String>> broken,
      LongFunction<List<String>> whole,
      TestReporter reporter) {
    for (long seed = from; seed < from + seeds; seed++) {
      List<String> found = broken.apply(seed);
      if (!found.isEmpty() && whole.apply(seed).isEmpty()) {
        reporter.publishEntry("seed " + seed, found.getFirst());
        return;
      }
    }
    fail("nothing found in " + seeds + " seeds");
  }
}
