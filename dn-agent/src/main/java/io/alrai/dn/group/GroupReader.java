package io.alrai.dn.group;

import org.jspecify.annotations.Nullable;

/** Reads what a group has committed, at its reader's pace. One thread at a time; close from any. */
public interface GroupReader extends AutoCloseable {
  /**
   * The next transaction, in the order of the log.
   *
   * @return null when none was committed in time
   * @throws io.alrai.dn.binlog.BinlogException when the log cannot be read on, or what is wanted is
   *     not in it any more
   */
  @Nullable Shipped poll(long millis) throws InterruptedException;

  /** The last entry that was read or need not be, also one without a transaction; -1 for none. */
  long passed();

  /**
   * All up to that entry was given and taken, or need not be, once the next one is asked for: it is
   * before a transaction in pieces that has begun.
   */
  default long spent() {
    return passed();
  }

  @Override
  void close();
}
