package io.alrai.dn.gate.group;

import io.alrai.testing.BrokenRules;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestReporter;

/** Each rule of a group broken once: the simulator must show what follows from it. */
class BrokenGroupRulesSim {
  private static final int SEEDS = 400;

  /** What the checks find. A model that cannot go on at all has not been checked. */
  private static void expectFault(GroupRules broken, TestReporter reporter) {
    expectFault(1, broken, reporter);
  }

  /** Begins with a seed that is not far from one that shows it. That is clean without. */
  private static void expectFault(long from, GroupRules broken, TestReporter reporter) {
    expectFault(from, 0, broken, reporter);
  }

  private static void expectFault(
      long from, int clockFaults, GroupRules broken, TestReporter reporter) {
    BrokenRules.expectFault(
        from,
        SEEDS,
        seed -> GroupCluster.faults(seed, broken, 8, clockFaults),
        seed -> GroupCluster.faults(seed, new GroupRules(), 8, clockFaults),
        reporter);
  }

  @Test
  void speakingAboveTheReservation(TestReporter reporter) {
    expectFault(
        21,
        new GroupRules() {
          @Override
          boolean sendsBelowReservation() {
            return false;
          }
        },
        reporter);
  }

  @Test
  void denyingBranchesAboveTheReservation(TestReporter reporter) {
    expectFault(
        623,
        new GroupRules() {
          @Override
          boolean tellsHoldingsBelowReservation() {
            return false;
          }
        },
        reporter);
  }

  @Test
  void entriesThatReserveNothing(TestReporter reporter) {
    expectFault(
        249,
        4,
        new GroupRules() {
          @Override
          boolean entriesReserve() {
            return false;
          }
        },
        reporter);
  }

  @Test
  void aReservationOfAnotherTerm(TestReporter reporter) {
    expectFault(
        30,
        new GroupRules() {
          @Override
          boolean reservationIsOfOneTerm() {
            return false;
          }
        },
        reporter);
  }

  @Test
  void beginningBelowReservations(TestReporter reporter) {
    expectFault(
        new GroupRules() {
          @Override
          boolean beginsAboveReservations() {
            return false;
          }
        },
        reporter);
  }

  @Test
  void learningDecisionsFromTheOwnStreamOnly(TestReporter reporter) {
    expectFault(
        new GroupRules() {
          @Override
          boolean learnsDecisionsFromTheLog() {
            return false;
          }
        },
        reporter);
  }

  @Test
  void answeringBeforeTheLogIsRead(TestReporter reporter) {
    expectFault(
        new GroupRules() {
          @Override
          boolean readsTheLogFirst() {
            return false;
          }
        },
        reporter);
  }

  @Test
  void startingMysqldsWithTheirBinaryLogs(TestReporter reporter) {
    expectFault(
        new GroupRules() {
          @Override
          boolean deletesBinlogs() {
            return false;
          }
        },
        reporter);
  }

  @Test
  void lettingThroughBeforeStampsAreInTheLog(TestReporter reporter) {
    expectFault(
        88,
        new GroupRules() {
          @Override
          boolean awaitsStamps() {
            return false;
          }
        },
        reporter);
  }

  @Test
  void feedingWhatIsNotCommitted(TestReporter reporter) {
    expectFault(
        new GroupRules() {
          @Override
          boolean feedsCommittedEntries() {
            return false;
          }
        },
        reporter);
  }

  @Test
  void leadingBeforeAllIsExecuted(TestReporter reporter) {
    expectFault(
        66,
        new GroupRules() {
          @Override
          boolean appliesAllFirst() {
            return false;
          }
        },
        reporter);
  }

  @Test
  void openingViewsBeforePreparedBranchesAreKnown(TestReporter reporter) {
    expectFault(
        16,
        new GroupRules() {
          @Override
          boolean recoversFirst() {
            return false;
          }
        },
        reporter);
  }

  @Test
  void forgettingDecisionsThatAreNotSettled(TestReporter reporter) {
    expectFault(
        554,
        new GroupRules() {
          @Override
          boolean keepsUnsettledDecisions() {
            return false;
          }
        },
        reporter);
  }

  @Test
  void forgettingReservations(TestReporter reporter) {
    expectFault(
        1,
        4,
        new GroupRules() {
          @Override
          boolean keepsReservations() {
            return false;
          }
        },
        reporter);
  }

  @Test
  void forgettingWhatTheMysqldMayLose(TestReporter reporter) {
    expectFault(
        new GroupRules() {
          @Override
          boolean keepsWhatIsNotFlushed() {
            return false;
          }
        },
        reporter);
  }

  @Test
  void goingOnWithPiecesOfOthers(TestReporter reporter) {
    expectFault(
        new GroupRules() {
          @Override
          boolean dropsPiecesOfOthers() {
            return false;
          }
        },
        reporter);
  }

  @Test
  void lettingThroughWhatTheGroupHasNot(TestReporter reporter) {
    expectFault(
        new GroupRules() {
          @Override
          boolean awaitsTheGroup() {
            return false;
          }
        },
        reporter);
  }

  @Test
  void takingEntriesOfOtherTerms(TestReporter reporter) {
    expectFault(
        66,
        new GroupRules() {
          @Override
          boolean voidsOtherTerms() {
            return false;
          }
        },
        reporter);
  }
}
