package io.alrai.dn.raft;

/**
 * An entry of a group's log.
 *
 * @param at the stamp of what becomes visible with it; 0 for none
 */
record GroupEntry(Kind kind, int at) {
  enum Kind {
    /** The transaction is committed at its primary, and so decided. */
    DECISION,
    /** It is never to be decided. */
    TOMBSTONE,
    PREPARE,
    XA_COMMIT,
    XA_ROLLBACK,
    /** A transaction of one DN. */
    COMMIT
  }
}
