package io.alrai.dn.raft;

/**
 * What the members of a group do with a log that is bounded, and with rows that are cloned, as
 * predicates, so that tests can break one at a time.
 */
class MembersRules {
  /** Who has all of a voter's log, by term first, gets its vote. */
  boolean comparesTerms() {
    return true;
  }

  /** A joiner counts when it is in the configuration. */
  boolean joinersWait() {
    return true;
  }

  /** Members that were dropped do not count. */
  boolean droppedVotesAreVoid() {
    return true;
  }

  /** A member is dropped where those that are left have a majority that answers. */
  boolean dropsWithMajority() {
    return true;
  }

  /** A member whose log is lost does not start. */
  boolean refusesLostLogs() {
    return true;
  }

  /** Entries are skipped on the word of a member that has rows. */
  boolean believesRowsOnly() {
    return true;
  }

  /** The bound of a log ends where the member needs it itself. */
  boolean retainsWhatIsNeeded() {
    return true;
  }

  /** What the mysqld may lose stays in the log. */
  boolean keepsWhatIsNotFlushed() {
    return true;
  }

  /** What goes is settled, and an entry that stays says so. */
  boolean keepsWhatIsNotSettled() {
    return true;
  }

  /** A member whose mysqld lacks rows looks for them elsewhere, and does not lead. */
  boolean asksWhatIsMissing() {
    return true;
  }

  /** A clone says of itself what it has. */
  boolean clonesAreWhole() {
    return true;
  }

  /** A clone that is not needed any more is thrown away. */
  boolean lateClonesEnd() {
    return true;
  }

  /** A leader has all that was committed before it. */
  boolean appliesAllFirst() {
    return true;
  }

  /** Members with the log alone hand over. */
  boolean loggersHandOver() {
    return true;
  }
}
