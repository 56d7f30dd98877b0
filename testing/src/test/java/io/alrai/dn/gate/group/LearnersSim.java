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
 * {@link GroupSim} with most of the reads at a mysqld that has no vote: it learns from the log of
 * one member and then of another one, while leaders are replaced, members forget what it needs, and
 * it is killed. {@code -Dlearners.seed=N} runs one seed, {@code -Dlearners.seeds=N} that many. Each
 * rule of it is broken once.
 */
class LearnersSim {
  private static final int SEEDS = 300;
  private static final int FAULTS = 6;

  private static class Learners extends GroupRules {
    @Override
    double readsReplicas() {
      return 0.8;
    }

    @Override
    boolean feedsLearners() {
      return true;
    }
  }

  @ParameterizedTest
  @CsvSource({"0, 6", "6, 24"})
  void learnersShowSnapshots(int mostFaults, long count, TestReporter reporter) {
    Long one = Long.getLong("learners.seed");
    long from = one == null ? 1 : one;
    long to = one == null ? Long.getLong("learners.seeds", count) : one;
    long shown = 0;
    long sources = 0;
    long clones = 0;
    for (long seed = from; seed <= to; seed++) {
      GroupCluster cluster = new GroupCluster(seed, new Learners(), mostFaults);
      try {
        cluster.run();
      } catch (RuntimeException e) {
        throw new AssertionError("seed " + seed, e);
      }
      assertEquals(List.of(), cluster.faults(), "seed " + seed);
      shown += cluster.shownByReplicas();
      sources += cluster.sources();
      clones += cluster.clones();
    }
    long seeds = to - from + 1;
    String fed = sources + " sources, " + clones + " clones";
    reporter.publishEntry(seeds + " seeds", shown + " views of replicas, " + fed);
    assertTrue(one != null || shown > 10 * seeds, "too few views: " + shown);
    assertTrue(one != null || sources > 4 * seeds && (mostFaults == 0 || clones > 0), fed);
  }

  private static void expectFault(GroupRules broken, TestReporter reporter) {
    expectFault(1, broken, reporter);
  }

  private static void expectFault(long from, GroupRules broken, TestReporter reporter) {
    BrokenRules.expectFault(
        from,
        SEEDS,
        seed -> GroupCluster.faults(seed, broken, FAULTS, 0),
        seed -> GroupCluster.faults(seed, new Learners(), FAULTS, 0),
        reporter);
  }

  @Test
  void teachingWhoLacksWhatIsForgotten(TestReporter reporter) {
    expectFault(
        new Learners() {
          @Override
          boolean teachesWithoutGaps() {
            return false;
          }
        },
        reporter);
  }

  /** Another member sends what is older, and it is applied after what is newer. */
  @Test
  void findingOutOnTheWayWhatIsForgotten(TestReporter reporter) {
    expectFault(
        new Learners() {
          @Override
          boolean looksBeforeItTeaches() {
            return false;
          }
        },
        reporter);
  }

  @Test
  void sendingOnAfterWhatIsForgotten(TestReporter reporter) {
    expectFault(
        60,
        new Learners() {
          @Override
          boolean endsWhereItHasForgotten() {
            return false;
          }
        },
        reporter);
  }

  @Test
  void teachingBeforeItIsKnownWhatIsForgotten(TestReporter reporter) {
    expectFault(
        120,
        new Learners() {
          @Override
          boolean teachesWhatItKnows() {
            return false;
          }
        },
        reporter);
  }

  @Test
  void teachingWhatIsNotCommitted(TestReporter reporter) {
    expectFault(
        new Learners() {
          @Override
          boolean teachesWhatIsCommitted() {
            return false;
          }
        },
        reporter);
  }
}
