package io.alrai.dn.xa;

import java.time.Duration;

/**
 * How long commit and recovery wait.
 *
 * @param tick between two looks of the resolver
 * @param scan between two XA RECOVERs while nothing is known to be prepared
 * @param silence a branch prepared for so long has lost its coordinator, as far as its DN can tell;
 *     and an UNDECIDED primary is given up when it is asked about after that time and its
 *     coordinator has said nothing for as long
 * @param patience as silence, for a coordinator that says something, but not about this transaction
 * @param settle how long the outcome of a decision whose answer was lost is looked for, before it
 *     is left in doubt
 * @param sweepAge a tx_log row of that age, not forgotten yet, is checked with its participants;
 *     must be longer than settle, so that no one who still asks reads a swept row as an abort
 * @param tombstoneAge an abort tombstone of that age is deleted
 * @param retry between two attempts while a mysqld is down
 */
public record XaTimes(
    Duration tick,
    Duration scan,
    Duration silence,
    Duration patience,
    Duration settle,
    Duration sweepAge,
    Duration tombstoneAge,
    Duration retry) {

  /** What production uses. */
  public static XaTimes defaults() {
    return new XaTimes(
        Duration.ofMillis(500),
        Duration.ofSeconds(2),
        Duration.ofSeconds(1),
        Duration.ofSeconds(10),
        Duration.ofSeconds(10),
        Duration.ofSeconds(30),
        Duration.ofHours(1),
        Duration.ofMillis(100));
  }

  /**
   * Checks the order of the bounds.
   *
   * @throws IllegalArgumentException when sweepAge is not longer than settle
   */
  public XaTimes {
    if (sweepAge.compareTo(settle) <= 0) {
      throw new IllegalArgumentException("sweepAge must be longer than settle");
    }
  }
}
