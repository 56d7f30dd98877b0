package io.alrai.dn.gate;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assertions.fail;

import io.alrai.testing.history.Level;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestReporter;

/**
 * Whole clusters as in {@link GateSim}, some of whose clocks are about as far ahead as others
 * follow, until somebody sets them right: what is refused ends its connection, and nothing of it is
 * done. {@code -Dgate.seed=N} runs one seed, {@code -Dgate.seeds=N} that many.
 */
class ClocksSim {
  private static final int SEEDS = 400;

  private static class Astray extends SessionRules {
    Astray() {
      super(Level.SNAPSHOT);
    }

    @Override
    long mostAheadMillis() {
      return 500;
    }

    @Override
    boolean clocksAstray() {
      return true;
    }
  }

  private static Cluster run(long seed, SessionRules rules) {
    Cluster cluster = new Cluster(seed, new GateRules(), rules);
    try {
      cluster.run();
    } catch (RuntimeException e) {
      throw new AssertionError("seed " + seed, e);
    }
    return cluster;
  }

  private static String wrong(Cluster cluster) {
    return cluster.wrongViews() + "" + cluster.anomalies() + cluster.lostWrites();
  }

  @Test
  void clocksThatOthersDoNotFollow(TestReporter reporter) {
    Long one = Long.getLong("gate.seed");
    long from = one == null ? 1 : one;
    long to = one == null ? Long.getLong("gate.seeds", 300) : one;
    long refusals = 0;
    long commits = 0;
    for (long seed = from; seed <= to; seed++) {
      Cluster cluster = run(seed, new Astray());
      assertEquals("[][][]", wrong(cluster), "seed " + seed);
      refusals += cluster.world.refusals;
      commits += cluster.commits;
    }
    long seeds = to - from + 1;
    reporter.publishEntry(seeds + " seeds", commits + " commits, " + refusals + " refused clocks");
    assertTrue(one != null || (refusals > 10 * seeds && commits > 20 * seeds), "too little");
  }

  @Test
  void goingOnWithTimestampsThatTheClockRefused(TestReporter reporter) {
    SessionRules broken =
        new Astray() {
          @Override
          boolean refusesClocks() {
            return false;
          }
        };
    for (long seed = 1; seed <= SEEDS; seed++) {
      String found;
      try {
        found = wrong(run(seed, broken));
      } catch (AssertionError noticed) {
        found = String.valueOf(noticed.getCause());
      }
      if (!found.equals("[][][]") && wrong(run(seed, new Astray())).equals("[][][]")) {
        reporter.publishEntry("seed " + seed, found);
        return;
      }
    }
    fail("no anomaly in " + SEEDS + " seeds");
  }
}
