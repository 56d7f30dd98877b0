package io.alrai.dn.gate.group;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.alrai.testing.BrokenRules;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestReporter;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * {@link GroupSim} with most of the reads at members that follow: a reader sees one snapshot of
 * several DNs there, with all that its session has seen, while leaders are replaced. {@code
 * -Dreplicas.seed=N} runs one seed, {@code -Dreplicas.seeds=N} that many. Each rule of it is broken
 * once.
 */
class ReplicaReadsSim {
  private static final int SEEDS = 300;
  private static final int FAULTS = 6;

  private static class Replicas extends GroupRules {
    @Override
    double readsReplicas() {
      return 0.8;
    }
  }

  /** Leaders are busy: their followers often know earlier what is committed. */
  private static class BehindBusyLeaders extends Replicas {
    @Override
    long hearsWithin() {
      return 3_000;
    }
  }

  @ParameterizedTest
  @CsvSource({"0, 10", "6, 40"})
  void replicasShowSnapshots(int mostFaults, long count, TestReporter reporter) {
    Long one = Long.getLong("replicas.seed");
    long from = one == null ? 1 : one;
    long to = one == null ? Long.getLong("replicas.seeds", count) : one;
    long shown = 0;
    long leads = 0;
    long reopened = 0;
    long restarts = 0;
    for (long seed = from; seed <= to; seed++) {
      GroupRules rules = seed % 2 == 0 ? new Replicas() : new BehindBusyLeaders();
      GroupCluster cluster = new GroupCluster(seed, rules, mostFaults);
      try {
        cluster.run();
      } catch (RuntimeException e) {
        throw new AssertionError("seed " + seed, e);
      }
      assertEquals(List.of(), cluster.faults(), "seed " + seed);
      shown += cluster.shownByReplicas();
      leads += cluster.leads();
      reopened += cluster.reopened;
      restarts += cluster.restarts;
    }
    long seeds = to - from + 1;
    String lost = reopened + " views opened again, " + restarts + " restarts";
    reporter.publishEntry(
        seeds + " seeds", shown + " views of replicas, " + lost + ", " + leads + " leads");
    assertTrue(one != null || shown > 20 * seeds, "too few views: " + shown);
    assertTrue(one != null || reopened >= seeds && restarts >= seeds, lost);
  }

  private static void expectFault(GroupRules broken, TestReporter reporter) {
    expectFault(broken, new Replicas(), reporter);
  }

  private static void expectFault(GroupRules broken, GroupRules whole, TestReporter reporter) {
    BrokenRules.expectFault(
        1,
        SEEDS,
        seed -> GroupCluster.faults(seed, broken, FAULTS, 0),
        seed -> GroupCluster.faults(seed, whole, FAULTS, 0),
        reporter);
  }

  @Test
  void feedingOnMeanwhile(TestReporter reporter) {
    expectFault(
        new Replicas() {
          @Override
          boolean holdsForViews() {
            return false;
          }
        },
        reporter);
  }

  @Test
  void showingWhatCameAfterThePlace(TestReporter reporter) {
    expectFault(
        new BehindBusyLeaders() {
          @Override
          boolean refusesWhatIsPassed() {
            return false;
          }
        },
        new BehindBusyLeaders(),
        reporter);
  }

  @Test
  void takingThePlaceOfALaterSnapshot(TestReporter reporter) {
    expectFault(
        new Replicas() {
          @Override
          boolean asksAtTheSnapshot() {
            return false;
          }
        },
        reporter);
  }

  @Test
  void openingTheViewTooEarly(TestReporter reporter) {
    expectFault(
        new Replicas() {
          @Override
          boolean awaitsThePlace() {
            return false;
          }
        },
        reporter);
  }

  @Test
  void feedingOnBeforeTheViewIsOpen(TestReporter reporter) {
    expectFault(
        new Replicas() {
          @Override
          boolean holdsUntilOpen() {
            return false;
          }
        },
        reporter);
  }

  @Test
  void askingALeaderThatSpeaksAboveItsReservation(TestReporter reporter) {
    expectFault(
        new Replicas() {
          @Override
          boolean sendsBelowReservation() {
            return false;
          }
        },
        reporter);
  }

  @Test
  void openingAViewThatIsLostAtALaterSnapshot(TestReporter reporter) {
    expectFault(
        new Replicas() {
          @Override
          boolean reopensAtTheSnapshot() {
            return false;
          }
        },
        reporter);
  }

  @Test
  void goingOnWhereTheSnapshotIsGone(TestReporter reporter) {
    expectFault(
        new Replicas() {
          @Override
          boolean restartsWithoutSnapshot() {
            return false;
          }
        },
        reporter);
  }
}
