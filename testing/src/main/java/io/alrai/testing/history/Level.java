package io.alrai.testing.history;

/** What is promised to a history. */
public enum Level {
  /** G0, G1a, G1b, G1c and the inner contradictions are anomalies. */
  READ_COMMITTED,
  /**
   * All snapshot reads of a transaction see one state of the database; writes and current reads
   * happen at the commit. So an update may be lost, as in MySQL's REPEATABLE READ.
   */
  SNAPSHOT,
  /** Snapshot isolation: moreover the first updater of a row wins, no update is lost. */
  STRICT_SNAPSHOT,
  /** No cycle of dependencies at all. */
  SERIALIZABLE
}
