package io.alrai.testing.history;

import java.util.List;

/**
 * What a client saw of one transaction.
 *
 * @param session transactions of one session are in the order of the history
 * @param operations those that were answered, and appends and writes that were sent
 */
public record Transaction(long session, Outcome outcome, List<Operation> operations) {
  /** How it ended, as far as the client knows. */
  public enum Outcome {
    /** COMMIT was answered with success. */
    COMMITTED,
    /** It was surely rolled back: nobody may see its writes. */
    ABORTED,
    /** The answer was lost: it counts as committed when somebody saw its writes. */
    UNKNOWN
  }

  public Transaction {
    operations = List.copyOf(operations);
  }
}
