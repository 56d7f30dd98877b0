package io.alrai.dn.raft;

/** The rules of the clock's reservation; a test breaks one at a time. */
class ReservationRules {
  /** A leader answers only while its clock is below what its group has reserved. */
  boolean answersBelowReservation() {
    return true;
  }

  /** "I hold nothing prepared of it" is such an answer. */
  boolean tellsHoldingsBelowReservation() {
    return answersBelowReservation();
  }

  /** An answer to a push is one. */
  boolean answersPushesBelowReservation() {
    return answersBelowReservation();
  }

  /** An entry reserves up to the stamp that it carries. */
  boolean entriesReserveTheirStamps() {
    return true;
  }

  /** A reservation counts for the leader of the term that it was committed in. */
  boolean reservationIsOfOneTerm() {
    return true;
  }

  /** A leader begins above whatever was reserved before. */
  boolean beginsAboveReservations() {
    return true;
  }

  /** A leader that gives back what it has reserved speaks no more up to there. */
  boolean keepsToWhatItGivesBack() {
    return true;
  }

  /** After that only what it has asked for later counts for it. */
  boolean countsWhatIsAskedForLater() {
    return true;
  }

  /** A leader answers when it has read the log up to its own first entry. */
  boolean readsTheLogFirst() {
    return true;
  }

  /** A commit is visible and acknowledged when the group has committed its entry. */
  boolean acknowledgesCommittedEntries() {
    return true;
  }

  /** A question about an outcome that is not decided forbids it in the log. */
  boolean tombstonesAreLogged() {
    return true;
  }
}
