package io.alrai.dn.gate;

import static org.junit.jupiter.api.Assertions.fail;

import io.alrai.common.time.HlcTimestamp;
import io.alrai.testing.history.Anomaly;
import io.alrai.testing.history.Level;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestReporter;

/**
 * Each rule of moving and of strict snapshots and of SERIALIZABLE broken once, with gates that are
 * right: the simulator must show an anomaly that clients can see.
 */
class BrokenSessionRulesSim {
  private static final int SEEDS = 400;

  private static void expectAnomaly(SessionRules broken, TestReporter reporter) {
    expectAnomaly(1, broken, reporter);
  }

  /** Begins with a seed that is not far from one that shows it. */
  private static void expectAnomaly(long from, SessionRules broken, TestReporter reporter) {
    for (long seed = from; seed < from + SEEDS; seed++) {
      Cluster cluster = new Cluster(seed, new GateRules(), broken);
      cluster.run();
      List<Anomaly> found = cluster.anomalies();
      if (!found.isEmpty()) {
        reporter.publishEntry("seed " + seed, found.getFirst().toString());
        return;
      }
    }
    fail("no anomaly in " + SEEDS + " seeds");
  }

  @Test
  void lettingTheSecondUpdaterWin(TestReporter reporter) {
    expectAnomaly(
        new SessionRules(Level.STRICT_SNAPSHOT) {
          @Override
          boolean conflicts(List<Long> atSnapshot, List<Long> now) {
            return false;
          }
        },
        reporter);
  }

  @Test
  void comparingBeforeTheLockIsTaken(TestReporter reporter) {
    expectAnomaly(
        new SessionRules(Level.STRICT_SNAPSHOT) {
          @Override
          boolean comparesUnderLock() {
            return false;
          }
        },
        reporter);
  }

  @Test
  void openingALateViewAtANewSnapshot(TestReporter reporter) {
    expectAnomaly(
        new SessionRules(Level.STRICT_SNAPSHOT) {
          @Override
          HlcTimestamp lateView(HlcTimestamp snapshot, HlcTimestamp now) {
            return Fence.max(snapshot, new HlcTimestamp(now.value() + (1L << 16)));
          }
        },
        reporter);
  }

  @Test
  void movingToALaterSnapshotWhereOtherRowsAre(TestReporter reporter) {
    expectAnomaly(
        new SessionRules(Level.SNAPSHOT) {
          @Override
          boolean mayMove(List<Long> read, List<Long> again) {
            return true;
          }
        },
        reporter);
  }

  @Test
  void keepingViewsThatAreOpenWhenTheSnapshotMoves(TestReporter reporter) {
    expectAnomaly(
        new SessionRules(Level.SNAPSHOT) {
          @Override
          boolean allViewsMove() {
            return false;
          }
        },
        reporter);
  }

  @Test
  void readingWithoutLocks(TestReporter reporter) {
    expectAnomaly(
        new SessionRules(Level.SERIALIZABLE) {
          @Override
          boolean locksReads() {
            return false;
          }
        },
        reporter);
  }

  @Test
  void endingReadersBeforeTheWritesAreCommitted(TestReporter reporter) {
    expectAnomaly(
        new SessionRules(Level.SERIALIZABLE) {
          @Override
          boolean endsReadersLast() {
            return false;
          }
        },
        reporter);
  }

  @Test
  void committingWhenLocksOfReadsAreLost(TestReporter reporter) {
    expectAnomaly(
        5_440,
        new SessionRules(Level.SERIALIZABLE) {
          @Override
          boolean asksReaders() {
            return false;
          }
        },
        reporter);
  }

  @Test
  void endingReadersWithoutPassingTheStampOn(TestReporter reporter) {
    expectAnomaly(
        90,
        new SessionRules(Level.SERIALIZABLE) {
          @Override
          boolean passesStampToReaders() {
            return false;
          }
        },
        reporter);
  }

  @Test
  void decidingBehindATombstone(TestReporter reporter) {
    expectAnomaly(
        new SessionRules(Level.SNAPSHOT) {
          @Override
          boolean refusesCondemned() {
            return false;
          }
        },
        reporter);
  }
}
