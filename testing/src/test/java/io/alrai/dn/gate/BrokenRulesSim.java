package io.alrai.dn.gate;

import io.alrai.common.time.HlcTimestamp;
import io.alrai.testing.history.Anomaly;
import io.alrai.testing.history.Level;
import java.util.List;
import org.junit.jupiter.api.Assertions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestReporter;

/**
 * Each rule of the gate broken once: the simulator must show an anomaly that clients can see. What
 * a gate notices by itself is switched off.
 */
class BrokenRulesSim {
  private static final int SEEDS = 400;

  private static class Blind extends GateRules {
    @Override
    void passedBy(Arrival arrival, HlcTimestamp stamp, HlcTimestamp cutThrough) {
      // only what clients see counts
    }
  }

  /**
   * Without the second line of defence, which looks at the stamps themselves: the cut is simply the
   * end of what has arrived, and what becomes visible while a snapshot waits does not refuse it.
   */
  private static class Trusting extends Blind {
    @Override
    boolean isIn(HlcTimestamp stamp, HlcTimestamp snapshot) {
      return true;
    }

    @Override
    boolean overtakes(HlcTimestamp fence, HlcTimestamp snapshot) {
      return false;
    }
  }

  private static List<Anomaly> anomalies(long seed, GateRules rules) {
    Cluster cluster = new Cluster(seed, rules, new SessionRules(Level.SNAPSHOT));
    cluster.run();
    return cluster.anomalies();
  }

  private static void expectAnomaly(GateRules broken, TestReporter reporter) {
    expectAnomaly(broken, new GateRules(), reporter);
  }

  /** The anomaly must come from the broken rule: the same seed is clean with the control. */
  private static void expectAnomaly(GateRules broken, GateRules control, TestReporter reporter) {
    for (long seed = 1; seed <= SEEDS; seed++) {
      List<Anomaly> found = anomalies(seed, broken);
      if (!found.isEmpty() && anomalies(seed, control).isEmpty()) {
        reporter.publishEntry("seed " + seed, found.getFirst().toString());
        return;
      }
    }
    Assertions.fail("no anomaly in " + SEEDS + " seeds");
  }

  @Test
  void forgettingTheFence(TestReporter reporter) {
    expectAnomaly(
        new Blind() {
          @Override
          boolean refuses(HlcTimestamp fence, HlcTimestamp snapshot) {
            return false;
          }
        },
        reporter);
  }

  @Test
  void skippingThePush(TestReporter reporter) {
    expectAnomaly(
        new Blind() {
          @Override
          boolean mustPush(HlcTimestamp lowerBound, HlcTimestamp snapshot) {
            return false;
          }
        },
        reporter);
  }

  @Test
  void cuttingTooEarly(TestReporter reporter) {
    expectAnomaly(
        new Blind() {
          @Override
          boolean mayCut(boolean everythingArrived) {
            return true;
          }
        },
        reporter);
  }

  @Test
  void cuttingBehindWhatIsStampedAboveTheSnapshot(TestReporter reporter) {
    expectAnomaly(
        new Blind() {
          @Override
          boolean isIn(HlcTimestamp stamp, HlcTimestamp snapshot) {
            return true;
          }
        },
        reporter);
  }

  @Test
  void passingOverDependencies(TestReporter reporter) {
    expectAnomaly(
        new Blind() {
          @Override
          boolean dependsBeyond(HlcTimestamp dependency, HlcTimestamp snapshot) {
            return false;
          }
        },
        reporter);
  }

  @Test
  void acknowledgingBeyondTheCut(TestReporter reporter) {
    expectAnomaly(
        new Blind() {
          @Override
          boolean holdsAcks() {
            return false;
          }
        },
        reporter);
  }

  // Breaking one of the next two alone only refuses snapshots, because of the second line.

  @Test
  void stampingAboveTheSnapshotBeforeTheCut(TestReporter reporter) {
    expectAnomaly(
        new Trusting() {
          @Override
          HlcTimestamp stampBeforeCut(HlcTimestamp advanced, HlcTimestamp lowestWaiting) {
            return advanced;
          }
        },
        new Trusting(),
        reporter);
  }

  @Test
  void submittingDecidedCommitsAboveAWaitingSnapshot(TestReporter reporter) {
    expectAnomaly(
        new Trusting() {
          @Override
          boolean withholds(HlcTimestamp commitTs, HlcTimestamp lowestWaiting) {
            return false;
          }
        },
        new Trusting(),
        reporter);
  }
}
