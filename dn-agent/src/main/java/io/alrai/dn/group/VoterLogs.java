package io.alrai.dn.group;

import io.alrai.dn.binlog.Gtid;
import io.alrai.dn.binlog.GtidSet;
import java.util.List;

/** The logs of a group's voters, for one who learns from them. Thread-safe. */
public interface VoterLogs {
  /** The names of those that can be asked; the leader comes last, as it has most to do. */
  List<String> names();

  /**
   * Asks a voter for what is not in the set. Does not wait.
   *
   * @param known copied
   * @param arrivals hears of what comes, before it is read
   */
  Stream open(String voter, GtidSet known, Arrivals arrivals);

  /** Hears of what has come; must not block. */
  interface Arrivals {
    /** The next transaction, in the order of the log; its events may be on their way. */
    void arrived(long index, Gtid gtid);

    /**
     * The voter knows of no entry after that one.
     *
     * @param sent all up to that entry has arrived; -1 where nothing has
     */
    void heard(long index, long sent);
  }

  /** What one voter sends. Its end is a {@link io.alrai.dn.binlog.BinlogException} of poll. */
  interface Stream extends GroupReader {
    /** Whether it has begun: nothing before what comes is missing. */
    boolean begun();

    /** Whether it ended as the leader itself does not know all of what was said to be known. */
    boolean errant();
  }
}
