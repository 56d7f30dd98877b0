package io.alrai.gms.api;

import java.util.List;

/**
 * A trigger of a table, whose body stays with the row.
 *
 * @param name unique in its schema without regard to case
 * @param timing BEFORE or AFTER
 * @param event INSERT, UPDATE or DELETE
 * @param definer the account {@code user@host} in whose name it runs
 * @param body the statement after FOR EACH ROW, as the client wrote it
 * @param reads the columns after NEW and OLD, but for those that are only assigned
 * @param sets the columns that it assigns
 * @param tables what it does to tables, each once
 * @param sqlMode of the session that made it; the body is read and run under it
 * @param charset the character set of the client that made it
 * @param collation the collation of its connection
 */
public record Trigger(
    String name,
    String timing,
    String event,
    String definer,
    String body,
    List<String> reads,
    List<String> sets,
    List<TouchedTable> tables,
    String sqlMode,
    String charset,
    String collation) {
  public Trigger {
    reads = List.copyOf(reads);
    sets = List.copyOf(sets);
    tables = List.copyOf(tables);
  }

  /** Whether it runs at the same moment of a statement. */
  public boolean runsWith(Trigger other) {
    return timing.equals(other.timing) && event.equals(other.event);
  }
}
