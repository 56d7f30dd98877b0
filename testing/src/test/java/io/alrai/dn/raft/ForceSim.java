package io.alrai.dn.raft;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestReporter;

/**
 * One member becomes the group, in every order of events: nobody believes two with all rules, and
 * somebody does without each of them.
 */
class ForceSim {
  @Test
  void nobodyBelievesTwo(TestReporter reporter) {
    ForceSearch search = new ForceSearch();
    assertEquals(Optional.empty(), search.search(new ForceRules()));
    reporter.publishEntry("states", "" + search.states());
    assertTrue(search.survivors(), "no survivor was written to");
    assertTrue(search.states() > 1_000, () -> search.states() + " states");
  }

  private static void expectFault(ForceRules broken, TestReporter reporter) {
    Optional<String> found = new ForceSearch().search(broken);
    assertTrue(found.isPresent(), "nothing found");
    reporter.publishEntry("found", found.get());
  }

  @Test
  void oneIdForAllGenerations(TestReporter reporter) {
    expectFault(
        new ForceRules() {
          @Override
          boolean idsOfTheirOwn() {
            return false;
          }
        },
        reporter);
  }

  @Test
  void termsFromOneAgain(TestReporter reporter) {
    expectFault(
        new ForceRules() {
          @Override
          boolean termsAbove() {
            return false;
          }
        },
        reporter);
  }

  @Test
  void nobodyDecides(TestReporter reporter) {
    expectFault(
        new ForceRules() {
          @Override
          boolean theCatalogDecides() {
            return false;
          }
        },
        reporter);
  }

  @Test
  void cnsAreNotWaitedFor(TestReporter reporter) {
    expectFault(
        new ForceRules() {
          @Override
          boolean waitsForCns() {
            return false;
          }
        },
        reporter);
  }

  @Test
  void agentsAreNotWaitedFor(TestReporter reporter) {
    expectFault(
        new ForceRules() {
          @Override
          boolean waitsForAgents() {
            return false;
          }
        },
        reporter);
  }

  @Test
  void leasesThatRunOutEndTheWait(TestReporter reporter) {
    expectFault(
        new ForceRules() {
          @Override
          boolean leasesEndNoWait() {
            return false;
          }
        },
        reporter);
  }

  @Test
  void whoIsSaidToHaveEndedGoesOn(TestReporter reporter) {
    expectFault(
        new ForceRules() {
          @Override
          boolean whoIsSaidToHaveEndedHas() {
            return false;
          }
        },
        reporter);
  }

  @Test
  void someSayWhatTheyDoNotFollowYet(TestReporter reporter) {
    expectFault(
        new ForceRules() {
          @Override
          boolean saysWhatItFollows() {
            return false;
          }
        },
        reporter);
  }

  @Test
  void someBelieveBeforeTheyAreKnown(TestReporter reporter) {
    expectFault(
        new ForceRules() {
          @Override
          boolean registersFirst() {
            return false;
          }
        },
        reporter);
  }

  @Test
  void theCatalogsTermIsNotHeeded(TestReporter reporter) {
    expectFault(
        new ForceRules() {
          @Override
          boolean catalogsTermIsTheLeast() {
            return false;
          }
        },
        reporter);
  }
}
