package io.alrai.dn.binlog;

import java.util.Optional;

/** Reads a mysqld's log from a position on, at its reader's pace. One thread; close from any. */
public interface LogReader extends AutoCloseable {
  /** Opens readers; any thread. */
  interface Source {
    /**
     * Begins to read.
     *
     * @param from what shall not be read; the receiver's own
     * @param boundBytes read ahead, and the longest transaction that is given with its events
     */
    LogReader open(GtidSet from, long boundBytes);
  }

  /**
   * The next transaction, in the order of the log: also one that is not visible yet.
   *
   * @return empty when none came in time
   * @throws BinlogException when the connection broke and everything before that was read
   */
  Optional<BinlogTransaction> poll(long millis) throws InterruptedException;

  @Override
  void close();
}
