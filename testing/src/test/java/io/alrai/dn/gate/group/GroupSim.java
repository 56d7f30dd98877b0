package io.alrai.dn.gate.group;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import org.junit.jupiter.api.TestReporter;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * Runs of whole clusters as in {@code GateSim} whose DNs are groups of three: leaders are elected
 * at any moment, and those of before go on and notice nothing; processes and mysqlds are killed,
 * links break, members with the log alone win. Every history is what its clients were promised;
 * what was acknowledged is in every later leader's history, what was reported as failed never comes
 * back, every view that a client was shown has exactly what the log has at or below it, and all who
 * read the log read the same. {@code -Dgroup.seed=N} runs one seed, {@code -Dgroup.seeds=N} that
 * many.
 */
class GroupSim {
  @ParameterizedTest
  @CsvSource({"0, 20", "8, 150"})
  void everyHistoryIsWhatIsPromised(int mostFaults, long count, TestReporter reporter) {
    Long one = Long.getLong("group.seed");
    long commits = 0;
    long distributed = 0;
    long leads = 0;
    long shown = 0;
    long restamps = 0;
    long from = one == null ? 1 : one;
    long to = one == null ? Long.getLong("group.seeds", count) : one;
    for (long seed = from; seed <= to; seed++) {
      GroupCluster cluster = run(seed, mostFaults);
      assertEquals(List.of(), cluster.faults(), "seed " + seed);
      commits += cluster.commits;
      distributed += cluster.distributed;
      leads += cluster.leads();
      shown += cluster.shown();
      restamps += cluster.restamps();
    }
    long seeds = to - from + 1;
    reporter.publishEntry(
        seeds + " seeds",
        commits
            + " commits, "
            + distributed
            + " with two phases, "
            + shown
            + " views, "
            + leads
            + " leads, "
            + restamps
            + " stamps that came late");
    assertTrue(one != null || (commits > 25 * seeds && distributed > 5 * seeds), "too little");
    assertTrue(one != null || mostFaults == 0 || leads > 4 * seeds, "too few leaders");
  }

  private static GroupCluster run(long seed, int mostFaults) {
    GroupRules rules = new GroupRules();
    try {
      GroupCluster cluster = new GroupCluster(seed, rules, mostFaults);
      cluster.run();
      return cluster;
    } catch (RuntimeException e) {
      throw new AssertionError("seed " + seed, e);
    }
  }
}
