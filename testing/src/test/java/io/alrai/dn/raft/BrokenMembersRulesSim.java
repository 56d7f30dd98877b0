package io.alrai.dn.raft;

import io.alrai.testing.BrokenRules;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestReporter;

/** Each rule of a group's members broken once: the simulator must show what follows from it. */
class BrokenMembersRulesSim {
  private static final int SEEDS = 40;

  /** What the checks find. A model that cannot go on at all has not been checked. */
  private static List<String> faults(long seed, MembersRules rules) {
    try {
      return MembersSim.run(seed, rules).faults();
    } catch (RuntimeException impossible) {
      return List.of();
    }
  }

  private static void expectFault(long from, MembersRules broken, TestReporter reporter) {
    BrokenRules.expectFault(
        from,
        SEEDS,
        seed -> faults(seed, broken),
        seed -> MembersSim.run(seed, new MembersRules()).faults(),
        reporter);
  }

  @Test
  void votingByPlaceAlone(TestReporter reporter) {
    expectFault(
        20,
        new MembersRules() {
          @Override
          boolean comparesTerms() {
            return false;
          }
        },
        reporter);
  }

  @Test
  void askingJoinersForVotes(TestReporter reporter) {
    expectFault(
        2,
        new MembersRules() {
          @Override
          boolean joinersWait() {
            return false;
          }
        },
        reporter);
  }

  @Test
  void askingTheDroppedForVotes(TestReporter reporter) {
    expectFault(
        1,
        new MembersRules() {
          @Override
          boolean droppedVotesAreVoid() {
            return false;
          }
        },
        reporter);
  }

  @Test
  void droppingWithoutAMajority(TestReporter reporter) {
    expectFault(
        3,
        new MembersRules() {
          @Override
          boolean dropsWithMajority() {
            return false;
          }
        },
        reporter);
  }

  @Test
  void startingWithoutTheOwnLog(TestReporter reporter) {
    expectFault(
        35,
        new MembersRules() {
          @Override
          boolean refusesLostLogs() {
            return false;
          }
        },
        reporter);
  }

  @Test
  void skippingOnALoggersWord(TestReporter reporter) {
    expectFault(
        12,
        new MembersRules() {
          @Override
          boolean believesRowsOnly() {
            return false;
          }
        },
        reporter);
  }

  @Test
  void retainingLessThanIsNeeded(TestReporter reporter) {
    expectFault(
        5,
        new MembersRules() {
          @Override
          boolean retainsWhatIsNeeded() {
            return false;
          }
        },
        reporter);
  }

  @Test
  void releasingWhatTheMysqldMayLose(TestReporter reporter) {
    expectFault(
        75,
        new MembersRules() {
          @Override
          boolean keepsWhatIsNotFlushed() {
            return false;
          }
        },
        reporter);
  }

  @Test
  void releasingWhatIsNotSettled(TestReporter reporter) {
    expectFault(
        1,
        new MembersRules() {
          @Override
          boolean keepsWhatIsNotSettled() {
            return false;
          }
        },
        reporter);
  }

  @Test
  void leadingWithWhatIsLeft(TestReporter reporter) {
    expectFault(
        1,
        new MembersRules() {
          @Override
          boolean asksWhatIsMissing() {
            return false;
          }
        },
        reporter);
  }

  @Test
  void cloningRowsOfAnEarlierPlace(TestReporter reporter) {
    expectFault(
        1,
        new MembersRules() {
          @Override
          boolean clonesAreWhole() {
            return false;
          }
        },
        reporter);
  }

  @Test
  void keepingALateClone(TestReporter reporter) {
    expectFault(
        84,
        new MembersRules() {
          @Override
          boolean lateClonesEnd() {
            return false;
          }
        },
        reporter);
  }

  @Test
  void leadingBeforeAllIsApplied(TestReporter reporter) {
    expectFault(
        5,
        new MembersRules() {
          @Override
          boolean appliesAllFirst() {
            return false;
          }
        },
        reporter);
  }

  @Test
  void leadingWithTheLogAlone(TestReporter reporter) {
    expectFault(
        3,
        new MembersRules() {
          @Override
          boolean loggersHandOver() {
            return false;
          }
        },
        reporter);
  }
}
