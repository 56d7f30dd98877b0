package io.alrai.dn.raft;

import java.nio.ByteBuffer;

/** What a member hears of its group; on threads of the log, which must not be blocked. */
public interface GroupEvents {
  /**
   * The next entry that is not void is committed: it is in every later leader's log. After a start
   * of the member all entries that have not been {@link GroupLog#release released} come anew, and
   * some before.
   */
  void committed(long term, long index, ByteBuffer entry);

  /**
   * Entries up to there that have not come will not: nobody has them any more. What comes next is
   * after them.
   */
  default void skipped(long upTo) {}

  /** This member leads: all that was committed before has come, and it may append. */
  void leads(long term);

  /**
   * It leads no more, if it has been said that it leads. What it has appended and not heard of may
   * be committed or not.
   */
  void follows();

  /**
   * The group goes on without this member, which does not vote any more, after a start neither. Its
   * log is closed.
   */
  void dropped();

  /** The log cannot be written any more; the member is of no use until it is started again. */
  void failed(Throwable reason);
}
