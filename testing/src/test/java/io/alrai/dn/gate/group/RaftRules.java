package io.alrai.dn.gate.group;

/** The rules of Raft that a model of it could do without noticing; a test breaks one at a time. */
class RaftRules {
  /** Only who has all that a voter has gets its vote. */
  boolean comparesLogs() {
    return true;
  }

  /** A member has what it has synced. */
  boolean countsWhatIsSynced() {
    return true;
  }
}
