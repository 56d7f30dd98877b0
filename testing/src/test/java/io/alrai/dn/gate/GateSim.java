package io.alrai.dn.gate;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.alrai.testing.history.Level;
import java.util.List;
import org.junit.jupiter.api.TestReporter;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * Thousands of runs of whole clusters around real gates, whose sessions are promised snapshot
 * isolation, the same with the first updater winning, or serialisability: every history keeps the
 * promise, every view shows exactly what is stamped at or below it, and everything comes to its
 * end. {@code -Dgate.seed=N} runs one seed, {@code -Dgate.seeds=N} that many.
 */
class GateSim {
  @ParameterizedTest
  @CsvSource({"SNAPSHOT, 1400", "STRICT_SNAPSHOT, 300", "SERIALIZABLE, 500"})
  void everyHistoryIsWhatIsPromised(Level level, long count, TestReporter reporter) {
    Long one = Long.getLong("gate.seed");
    long opened = 0;
    long distributed = 0;
    long refusals = 0;
    long moves = 0;
    long failed = 0;
    long commits = 0;
    long from = one == null ? 1 : one;
    long to = one == null ? Long.getLong("gate.seeds", count) : one;
    for (long seed = from; seed <= to; seed++) {
      Cluster cluster = new Cluster(seed, new GateRules(), new SessionRules(level));
      try {
        cluster.run();
      } catch (RuntimeException e) {
        throw new AssertionError("seed " + seed, e);
      }
      assertEquals(List.of(), cluster.wrongViews(), "seed " + seed);
      assertEquals(List.of(), cluster.anomalies(), "seed " + seed);
      assertEquals(List.of(), cluster.wrongCopies(), "seed " + seed);
      opened += cluster.opened();
      distributed += cluster.distributed;
      refusals += cluster.refusals;
      moves += cluster.moves;
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
            + moves
            + " moves, "
            + failed
            + " snapshots lost in crashes");
    assertTrue(one != null || (opened > 50 * seeds && distributed > 4 * seeds), "too little");
    assertTrue(one != null || level != Level.SNAPSHOT || moves > seeds, "too few moves");
  }
}
