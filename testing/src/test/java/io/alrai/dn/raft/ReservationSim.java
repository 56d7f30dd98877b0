package io.alrai.dn.raft;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.alrai.dn.raft.ReservationSearch.Found;
import io.alrai.dn.raft.ReservationState.Actor;
import io.alrai.dn.raft.ReservationState.Limits;
import java.util.EnumSet;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestReporter;

/**
 * The reservation of a group's clock in every order of events: nothing goes wrong with its rules,
 * and something does without each of them. {@code -Dreservation.whole=true} searches more of them
 * (minutes), {@code -Dreservation.ticks} and {@code -Dreservation.ahead} let clocks and
 * reservations go farther.
 */
class ReservationSim {
  private static final int TICKS = Integer.getInteger("reservation.ticks", 1);
  private static final int AHEAD = Integer.getInteger("reservation.ahead", 1);
  private static final Set<Actor> WITHOUT_WRITER = EnumSet.of(Actor.COORDINATOR, Actor.READER);
  private static final Set<Actor> WITHOUT_CLOCKS = EnumSet.complementOf(EnumSet.of(Actor.CLOCKS));
  private static final Set<Actor> COORDINATOR = EnumSet.of(Actor.COORDINATOR);
  private static final Set<Actor> PLAIN = EnumSet.of(Actor.WRITER, Actor.READER);
  private static final Set<Actor> COORDINATOR_AND_CLOCKS =
      EnumSet.of(Actor.COORDINATOR, Actor.CLOCKS);
  private static final Set<Actor> PLAIN_AND_CLOCKS =
      EnumSet.of(Actor.WRITER, Actor.READER, Actor.CLOCKS);

  private static void expectNone(Set<Actor> actors, TestReporter reporter) {
    expectNone(new Limits(TICKS, AHEAD, actors), reporter);
  }

  private static void expectNone(Limits limits, TestReporter reporter) {
    ReservationSearch search = new ReservationSearch();
    Optional<Found> found = search.search(new ReservationRules(), limits);
    reporter.publishEntry(limits.toString(), search.states() + " states, " + search.steps());
    assertEquals(Optional.empty(), found);
    assertTrue(search.states() > 200, () -> search.states() + " states");
  }

  private static void expectFault(
      Set<Actor> actors, ReservationRules broken, TestReporter reporter) {
    expectFault(new Limits(1, 1, actors), broken, reporter);
  }

  private static void expectFault(Limits limits, ReservationRules broken, TestReporter reporter) {
    Optional<Found> found = new ReservationSearch().search(broken, limits);
    assertTrue(found.isPresent(), "nothing found");
    reporter.publishEntry("found", found.get().toString());
  }

  @Test
  void oneTransactionAndOneReader(TestReporter reporter) {
    expectNone(WITHOUT_WRITER, reporter);
  }

  @Test
  void aPlainTransactionAndOneReader(TestReporter reporter) {
    expectNone(PLAIN, reporter);
  }

  @Test
  void leadersThatGiveTimeBack(TestReporter reporter) {
    expectNone(new Limits(2, 2, PLAIN_AND_CLOCKS), reporter);
    expectNone(new Limits(2, 2, COORDINATOR_AND_CLOCKS), reporter);
  }

  @Test
  void everybodyWhereAskedFor(TestReporter reporter) {
    if (Boolean.getBoolean("reservation.whole")) {
      expectNone(WITHOUT_CLOCKS, reporter);
      expectNone(EnumSet.complementOf(EnumSet.of(Actor.WRITER)), reporter);
    } else {
      expectNone(EnumSet.of(Actor.COORDINATOR, Actor.WRITER), reporter);
    }
  }

  @Test
  void answersAboveTheReservation(TestReporter reporter) {
    expectFault(
        COORDINATOR,
        new ReservationRules() {
          @Override
          boolean answersBelowReservation() {
            return false;
          }
        },
        reporter);
  }

  @Test
  void deniesPreparedBranchesAboveTheReservation(TestReporter reporter) {
    expectFault(
        COORDINATOR,
        new ReservationRules() {
          @Override
          boolean tellsHoldingsBelowReservation() {
            return false;
          }
        },
        reporter);
  }

  @Test
  void answersPushesAboveTheReservation(TestReporter reporter) {
    expectFault(
        WITHOUT_WRITER,
        new ReservationRules() {
          @Override
          boolean answersPushesBelowReservation() {
            return false;
          }
        },
        reporter);
  }

  @Test
  void stampsThatNoEntryReserves(TestReporter reporter) {
    expectFault(
        WITHOUT_CLOCKS,
        new ReservationRules() {
          @Override
          boolean entriesReserveTheirStamps() {
            return false;
          }
        },
        reporter);
  }

  @Test
  void aReservationOfAnotherTerm(TestReporter reporter) {
    expectFault(
        COORDINATOR,
        new ReservationRules() {
          @Override
          boolean reservationIsOfOneTerm() {
            return false;
          }
        },
        reporter);
  }

  @Test
  void aLeaderThatBeginsBelowReservations(TestReporter reporter) {
    expectFault(
        PLAIN,
        new ReservationRules() {
          @Override
          boolean beginsAboveReservations() {
            return false;
          }
        },
        reporter);
  }

  @Test
  void aLeaderThatSpeaksUpToWhatItGaveBack(TestReporter reporter) {
    ReservationRules broken =
        new ReservationRules() {
          @Override
          boolean keepsToWhatItGivesBack() {
            return false;
          }
        };
    // a successor begins one above what is reserved
    expectFault(new Limits(2, 2, PLAIN_AND_CLOCKS), broken, reporter);
  }

  @Test
  void aLeaderThatHearsOfWhatItGaveBack(TestReporter reporter) {
    ReservationRules broken =
        new ReservationRules() {
          @Override
          boolean countsWhatIsAskedForLater() {
            return false;
          }
        };
    // a successor begins one above what is reserved
    expectFault(new Limits(2, 2, PLAIN_AND_CLOCKS), broken, reporter);
  }

  @Test
  void aLeaderThatAnswersBeforeItHasReadTheLog(TestReporter reporter) {
    expectFault(
        COORDINATOR,
        new ReservationRules() {
          @Override
          boolean readsTheLogFirst() {
            return false;
          }
        },
        reporter);
  }

  @Test
  void commitsThatAreVisibleBeforeTheGroupHasThem(TestReporter reporter) {
    expectFault(
        PLAIN,
        new ReservationRules() {
          @Override
          boolean acknowledgesCommittedEntries() {
            return false;
          }
        },
        reporter);
  }

  @Test
  void outcomesThatAreForbiddenInMemoryOnly(TestReporter reporter) {
    expectFault(
        COORDINATOR,
        new ReservationRules() {
          @Override
          boolean tombstonesAreLogged() {
            return false;
          }
        },
        reporter);
  }
}
