package io.alrai.dn.gate;

/**
 * What agents do around their gates for the log: its files, the marks on their disks, the numbers
 * of tables, gates that fail. As predicates, so that tests can break one at a time.
 */
public class LogRules {
  /** Whether a reader of the log forgets the numbers of tables where a file begins. */
  boolean numbersTablesAnew() {
    return true;
  }

  /** Whether a mysqld keeps its files until they are purged. */
  boolean keepsFiles() {
    return true;
  }

  /** Whether decisions that nobody forgets get rows before the mark of what is settled moves. */
  boolean copiesSlowOnes() {
    return true;
  }

  /** Whether a new agent answers no question about outcomes before it has read the log. */
  public boolean readsBeforeAnswering() {
    return true;
  }

  /** Whether the mark of acknowledged commits is written before anybody hears of them. */
  boolean marksFirst() {
    return true;
  }

  /** Whether a tail is cut off also where a file was begun after it. */
  boolean cutsEarlierFiles() {
    return true;
  }

  /** Whether a gate that has thrown ends with its mysqld. */
  boolean endsBrokenGates() {
    return true;
  }
}
