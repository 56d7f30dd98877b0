package io.alrai.dn.ship;

import io.alrai.common.time.HlcTimestamp;
import io.alrai.dn.binlog.BinlogException;
import io.alrai.dn.binlog.BinlogTransaction;
import io.alrai.dn.binlog.GtidSet;
import java.util.Optional;

/**
 * What became visible on a DN between two subscriptions of one reader, in the order of the log.
 * Belongs to its reader's thread.
 */
public interface Backlog extends AutoCloseable {
  /**
   * A transaction of it.
   *
   * @param stamp empty where it is not known
   */
  record Missed(BinlogTransaction transaction, Optional<HlcTimestamp> stamp) {}

  /** Where what was missed is kept. */
  interface Source {
    /**
     * Opens it.
     *
     * @param known what the reader has
     * @param until what is visible
     * @throws BinlogException that says so, when it is known already that not all between the two
     *     is kept, with its stamps
     */
    Backlog open(GtidSet known, GtidSet until);
  }

  /**
   * For a DN of one replica: stamps are in its agent's memory only.
   *
   * @param dn whose it is
   */
  static Source none(String dn) {
    return (known, until) -> {
      throw BinlogException.gone("the stamps of what was missed of " + dn + " are gone");
    };
  }

  /**
   * The next one that was missed.
   *
   * @return empty when none came in time
   * @throws BinlogException when it cannot be had
   */
  Optional<Missed> next(long millis) throws InterruptedException;

  @Override
  void close();
}
