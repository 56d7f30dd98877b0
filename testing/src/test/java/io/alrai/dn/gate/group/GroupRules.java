package io.alrai.dn.gate.group;

/** What the members of a group do, as predicates, so that tests can break one at a time. */
class GroupRules {
  /** A leader sends messages only while its clock is below what its group has reserved. */
  boolean sendsBelowReservation() {
    return true;
  }

  /** "I hold no branch of it" is such a message. */
  boolean tellsHoldingsBelowReservation() {
    return sendsBelowReservation();
  }

  /** An entry reserves at least up to the stamps in it. */
  boolean entriesReserve() {
    return true;
  }

  /** A reservation is for the leader of the term that it was committed in. */
  boolean reservationIsOfOneTerm() {
    return true;
  }

  /** A leader's clock begins above all that was reserved before. */
  boolean beginsAboveReservations() {
    return true;
  }

  /** A leader learns from the group's log what was decided before it. */
  boolean learnsDecisionsFromTheLog() {
    return true;
  }

  /** A question about an outcome is answered when that has been read. */
  boolean readsTheLogFirst() {
    return true;
  }

  /** A mysqld starts without the binary log that it had. */
  boolean deletesBinlogs() {
    return true;
  }

  /** What was stamped anew becomes visible when the group has the stamp. */
  boolean awaitsStamps() {
    return true;
  }

  /** A follower's mysqld is fed what is committed. */
  boolean feedsCommittedEntries() {
    return true;
  }

  /** A leader has all that the log has before its first own entry. */
  boolean appliesAllFirst() {
    return true;
  }

  /** A gate knows of prepared branches before it opens views. */
  boolean recoversFirst() {
    return true;
  }

  /** Decisions are read anew after a start until nobody asks the log for them. */
  boolean keepsUnsettledDecisions() {
    return true;
  }

  /** The highest reservation is read anew after a start. */
  boolean keepsReservations() {
    return true;
  }

  /** A member reads anew what its mysqld could lose. */
  boolean keepsWhatIsNotFlushed() {
    return true;
  }

  /** Pieces of a transaction are void where another lead begins. */
  boolean dropsPiecesOfOthers() {
    return true;
  }

  /** What the group has committed is durable. */
  boolean awaitsTheGroup() {
    return true;
  }

  /** Within how many microseconds a leader hears that its group has committed an entry. */
  long hearsWithin() {
    return 300;
  }

  /** How many of the reads go to replicas. */
  double readsReplicas() {
    return 0;
  }

  /** A replica is fed nothing while it opens a view, but what that shows. */
  boolean holdsForViews() {
    return true;
  }

  /** It opens none where it was fed more. */
  boolean refusesWhatIsPassed() {
    return true;
  }

  /** It asks what there is at the snapshot itself, and not at a later one. */
  boolean asksAtTheSnapshot() {
    return true;
  }

  /** It opens the view when all that it shows is executed. */
  boolean awaitsThePlace() {
    return true;
  }

  /** It is fed on when the view is open. */
  boolean holdsUntilOpen() {
    return true;
  }

  /** The view of a replica that is lost in a transaction is opened again at its snapshot. */
  boolean reopensAtTheSnapshot() {
    return true;
  }

  /** Where that is gone the transaction ends. */
  boolean restartsWithoutSnapshot() {
    return true;
  }

  /** Whether column indexes follow the groups, by the logs of any members. */
  boolean feedsColumns() {
    return false;
  }

  /** They get what the member knows to be committed. */
  boolean givesWhatIsCommitted() {
    return true;
  }

  /** They get what a leader has let through. */
  boolean givesWhatIsVisible() {
    return true;
  }

  /** They get it when the member has read all that the leader had written by then. */
  boolean readsUpToMarks() {
    return true;
  }

  /** A member that has not all of it any more gives nothing. */
  boolean refusesGaps() {
    return true;
  }

  /** Who changes the member goes on where it was itself. */
  boolean keepsItsPlace() {
    return true;
  }

  /** A snapshot is read when all is there that was visible when a leader resolved it. */
  boolean awaitsWhatIsResolved() {
    return true;
  }

  /** Whether a mysqld without a vote learns from the members' logs, and is read, too. */
  boolean feedsLearners() {
    return false;
  }

  /** A member teaches nobody who lacks what its log has forgotten. */
  boolean teachesWithoutGaps() {
    return true;
  }

  /** That is looked for before the first transaction is sent. */
  boolean looksBeforeItTeaches() {
    return true;
  }

  /** A member whose log has forgotten what comes next sends nothing after it. */
  boolean endsWhereItHasForgotten() {
    return true;
  }

  /** A member that has not read its log anew since its start teaches nobody. */
  boolean teachesWhatItKnows() {
    return true;
  }

  /** A learner gets what the member knows to be committed. */
  boolean teachesWhatIsCommitted() {
    return true;
  }

  /** An entry is void in another term than its lead's. */
  boolean voidsOtherTerms() {
    return true;
  }
}
