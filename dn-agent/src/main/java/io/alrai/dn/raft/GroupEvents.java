package io.alrai.dn.raft;

import java.nio.ByteBuffer;

/** What a member hears of its group; on threads of the log, which must not be blocked. */
public interface GroupEvents {
  /**
   * The next entry is committed: it is in every later leader's log. All entries that the member
   * still has come anew after its start.
   */
  void committed(long term, long index, ByteBuffer entry);

  /** This member leads: all that was committed before has come, and it may append. */
  void leads(long term);

  /** It leads no more. What it has appended since and not heard of may be committed or not. */
  void follows();

  /** The log cannot be written any more; the member is of no use until it is started again. */
  void failed(Throwable reason);
}
