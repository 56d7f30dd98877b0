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
 * {@link GroupSim} with a copy of each DN's rows that is fed from the log of any member, which
 * changes: it gets what is visible, in order, once, with its last stamp, and shows at each snapshot
 * what the log says. {@code -Dfeed.seed=N} runs one seed, {@code -Dfeed.seeds=N} that many. Each
 * rule of it is broken once.
 */
class ColumnFeedSim {
  private static final int SEEDS = 300;
  private static final int FAULTS = 6;

  private static class Columns extends GroupRules {
    @Override
    boolean feedsColumns() {
      return true;
    }
  }

  @ParameterizedTest
  @CsvSource({"0, 10", "6, 40"})
  void columnsHaveWhatIsVisible(int mostFaults, long count, TestReporter reporter) {
    Long one = Long.getLong("feed.seed");
    long from = one == null ? 1 : one;
    long to = one == null ? Long.getLong("feed.seeds", count) : one;
    long shown = 0;
    long changes = 0;
    long rebuilds = 0;
    for (long seed = from; seed <= to; seed++) {
      GroupCluster cluster = new GroupCluster(seed, new Columns(), mostFaults);
      try {
        cluster.run();
      } catch (RuntimeException e) {
        throw new AssertionError("seed " + seed, e);
      }
      assertEquals(List.of(), cluster.faults(), "seed " + seed);
      for (GroupColumns columns : cluster.columns()) {
        shown += columns.shown;
        changes += columns.changes;
        rebuilds += columns.rebuilds;
      }
    }
    long seeds = to - from + 1;
    reporter.publishEntry(
        seeds + " seeds",
        shown + " views of columns, " + changes + " changes of sources, " + rebuilds + " rebuilds");
    assertTrue(one != null || shown > 20 * seeds, "too few views: " + shown);
    assertTrue(one != null || changes > 5 * seeds, "too few changes: " + changes);
  }

  private static void expectFault(GroupRules broken, TestReporter reporter) {
    BrokenRules.expectFault(
        1,
        SEEDS,
        seed -> GroupCluster.faults(seed, broken, FAULTS, 0),
        seed -> GroupCluster.faults(seed, new Columns(), FAULTS, 0),
        reporter);
  }

  @Test
  void givingWhatIsNotCommitted(TestReporter reporter) {
    expectFault(
        new Columns() {
          @Override
          boolean givesWhatIsCommitted() {
            return false;
          }
        },
        reporter);
  }

  @Test
  void givingWhatIsNotVisible(TestReporter reporter) {
    expectFault(
        new Columns() {
          @Override
          boolean givesWhatIsVisible() {
            return false;
          }
        },
        reporter);
  }

  @Test
  void givingBeforeTheLastStampsAreRead(TestReporter reporter) {
    expectFault(
        new Columns() {
          @Override
          boolean readsUpToMarks() {
            return false;
          }
        },
        reporter);
  }

  @Test
  void goingOnWithoutWhatTheSourceHasForgotten(TestReporter reporter) {
    expectFault(
        new Columns() {
          @Override
          boolean refusesGaps() {
            return false;
          }
        },
        reporter);
  }

  @Test
  void takingThePlaceOfTheSource(TestReporter reporter) {
    expectFault(
        new Columns() {
          @Override
          boolean keepsItsPlace() {
            return false;
          }
        },
        reporter);
  }

  @Test
  void readingBeforeAllOfTheSnapshotIsThere(TestReporter reporter) {
    expectFault(
        new Columns() {
          @Override
          boolean awaitsWhatIsResolved() {
            return false;
          }
        },
        reporter);
  }
}
