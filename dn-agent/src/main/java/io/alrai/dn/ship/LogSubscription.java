package io.alrai.dn.ship;

import io.alrai.common.time.HlcTimestamp;
import io.alrai.dn.binlog.BinlogException;
import io.alrai.dn.binlog.BinlogTransaction;
import io.alrai.dn.binlog.GtidSet;
import java.time.Duration;
import java.util.Optional;

/**
 * One reader of a DN's log: every transaction once, in the order of the log, only what is visible.
 * Belongs to its reader's thread.
 */
public interface LogSubscription extends AutoCloseable {
  /**
   * The next transaction. It counts as consumed when this returns.
   *
   * @return empty when none came in time
   * @throws BinlogException when what comes next cannot be had: the reader must begin anew
   */
  Optional<BinlogTransaction> next(Duration atMost) throws InterruptedException;

  /**
   * The stamp of what {@link #next} gave last; ZERO for what changes no visible row. Empty when it
   * is not known: a reader that needs it begins anew.
   */
  Optional<HlcTimestamp> stamp();

  /** The lead whose log it reads. */
  LeadNumber lead();

  /**
   * Where the last one that was given ends, or a later place up to which nothing was missed; empty
   * while there is neither.
   */
  Optional<LogPlace> place();

  /** What was given, and what was before it: a new subscription can go on from there. A copy. */
  GtidSet position();

  /** Ends it; what it wanted of the log may go. */
  @Override
  void close();
}
