package io.alrai.dn.group;

import io.alrai.dn.binlog.GtidSet;
import io.alrai.dn.raft.LogEntry;
import java.util.Optional;
import java.util.function.LongFunction;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** The product's own reader of a group's log, over a log in memory. Stateless. */
public final class ReadLog {
  private ReadLog() {}

  /**
   * Reads the transactions that are not known.
   *
   * @param next the next entry that is committed; null for none
   * @param at an entry once more
   */
  public static GroupReader open(
      GtidSet known, Supplier<@Nullable LogEntry> next, LongFunction<Optional<LogEntry>> at) {
    return new LogSource(of -> millis -> next.get(), at, () -> 0).open(known);
  }
}
