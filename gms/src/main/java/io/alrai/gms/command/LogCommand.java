package io.alrai.gms.command;

import io.alrai.gms.api.CatalogCommand;

/** What an entry of the replicated log does. */
public sealed interface LogCommand {
  /** Changes the catalog. */
  record Change(CatalogCommand command) implements LogCommand {}

  /** Gives the next numbers of a sequence away. */
  record ReserveNumbers(String sequence, long count) implements LogCommand {}

  /**
   * Reserves timestamps for the leader that writes this: all that follow those that are reserved,
   * up to so long after now.
   *
   * @param nowMillis the leader's wall time; it writes it over what the sender gave
   * @param aheadMillis how far
   */
  record ReserveTimestamps(long nowMillis, long aheadMillis) implements LogCommand {}

  /** Makes a sequence go on above a value. */
  record RaiseNumbers(String sequence, long value) implements LogCommand {}
}
