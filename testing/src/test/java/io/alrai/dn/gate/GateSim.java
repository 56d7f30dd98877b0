package io.alrai.dn.gate;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestReporter;

/**
 * Thousands of runs of whole clusters around real gates: every history is snapshot isolation, every
 * view shows exactly what is stamped at or below it, and everything comes to its end. {@code
 * -Dgate.seed=N} runs one seed, {@code -Dgate.seeds=N} that many.
 */
class GateSim {
  private static final long SEEDS = Long.getLong("gate.seeds", 2_000);

  @Test
  void everyHistoryIsSnapshotIsolation(TestReporter reporter) {
    Long one = Long.getLong("gate.seed");
    long opened = 0;
    long distributed = 0;
    long refusals = 0;
    long failed = 0;
    long commits = 0;
    long from = one == null ? 1 : one;
    long to = one == null ? SEEDS : one;
    for (long seed = from; seed <= to; seed++) {
      Cluster cluster = new Cluster(seed, new GateRules());
      try {
        cluster.run();
      } catch (RuntimeException e) {
        throw new AssertionError("seed " + seed, e);
      }
      assertEquals(List.of(), cluster.wrongViews(), "seed " + seed);
      assertEquals(List.of(), cluster.anomalies(), "seed " + seed);
      opened += cluster.opened();
      distributed += cluster.distributed;
      refusals += cluster.refusals;
      failed += cluster.failedOpens;
      commits += cluster.commits;
    }
    long seeds = to - from + 1;
    reporter.publishEntry(
        seeds + " seeds",
        commits
            + " commits, "
            + distributed
            + " with two phases, "
            + opened
            + " views, "
            + refusals
            + " refusals, "
            + failed
            + " snapshots lost in crashes");
    assertTrue(one != null || (opened > 50 * seeds && distributed > 10 * seeds), "too little");
  }
}
