package io.alrai.dn.group;

import io.alrai.common.time.HlcTimestamp;
import io.alrai.dn.binlog.Gtid;
import io.alrai.dn.binlog.GtidSet;
import java.util.Optional;

/** All that a group has committed, in order, as one member sees it. Thread-safe. */
public interface GroupSource extends FeedSource {
  /**
   * Looks through what was committed, ahead of a reader of it.
   *
   * @param known what need not be there; copied
   */
  Look look(GtidSet known);

  /** What is in a part of the log, from the oldest entry that is kept on. One thread at a time. */
  interface Look {
    /**
     * Looks on, as far as is committed now.
     *
     * @throws io.alrai.dn.binlog.BinlogException when the log cannot be read on, or what was wanted
     *     is not in it any more
     */
    void toEnd() throws InterruptedException;

    /**
     * Looks on up to an entry.
     *
     * @return whether that is committed here, now or in time
     * @throws io.alrai.dn.binlog.BinlogException as {@link #toEnd}
     */
    boolean to(long index, long millis) throws InterruptedException;

    /** Transactions that were known, and those that are in the log up to there. */
    GtidSet found();

    /** The last stamp of one that was written with another one; given once. */
    Optional<HlcTimestamp> restamped(Gtid gtid);
  }
}
