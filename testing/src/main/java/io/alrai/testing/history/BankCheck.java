package io.alrai.testing.history;

import java.util.ArrayList;
import java.util.List;

/**
 * The bank: money is moved, never made. Every snapshot of all accounts has the same total.
 *
 * @param accounts how many there are
 * @param total what they have together
 */
public record BankCheck(int accounts, long total) {
  /**
   * All accounts, as one reader saw them.
   *
   * @param reader for the explanation
   */
  public record Reading(String reader, List<Long> balances) {
    public Reading {
      balances = List.copyOf(balances);
    }
  }

  /** The readings that do not add up, or lack an account. */
  public List<Anomaly> check(List<Reading> readings) {
    List<Anomaly> torn = new ArrayList<>();
    for (Reading reading : readings) {
      long sum = reading.balances().stream().mapToLong(Long::longValue).sum();
      if (reading.balances().size() != accounts || sum != total) {
        torn.add(
            new Anomaly(
                Anomaly.Kind.TORN_TOTAL,
                reading.reader()
                    + " read "
                    + reading.balances()
                    + ", together "
                    + sum
                    + " instead of "
                    + total));
      }
    }
    return torn;
  }
}
