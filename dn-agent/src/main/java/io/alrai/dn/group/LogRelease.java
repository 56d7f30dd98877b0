package io.alrai.dn.group;

import io.alrai.dn.binlog.GtidSet;
import io.alrai.dn.group.GroupView.Progress;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.function.LongConsumer;

/**
 * Lets a member's log forget what its mysqld has on disk, and what tells of no decision that may
 * still be asked for. Looks now and then; one thread at a time.
 *
 * <p>An entry goes when its transactions were executed before the last flush, are settled, and a
 * later entry says so: whoever starts from this log alone must find that, too.
 */
public final class LogRelease {
  /** Looks after which nothing more is remembered: the mysqld, or the settling, stands still. */
  private static final int MOST_WAITING = 64;

  private final LongConsumer release;
  private final Deque<Progress> waiting = new ArrayDeque<>();
  private volatile GtidSet released = new GtidSet();

  /**
   * Nothing is released yet.
   *
   * @param release given the last entry that may go, as {@link io.alrai.dn.raft.GroupLog#release}
   *     is
   */
  public LogRelease(LongConsumer release) {
    this.release = release;
  }

  /** Transactions that came since the start and are in the log perhaps no more. Any thread. */
  public GtidSet released() {
    return released;
  }

  /**
   * A look.
   *
   * @param now what is committed
   * @param flushed transactions that this member's mysqld has, and has forced to disk
   */
  public void look(Progress now, GtidSet flushed) {
    Progress last = waiting.peekLast();
    if ((last == null || last.index() < now.index()) && waiting.size() < MOST_WAITING) {
      waiting.add(now);
    }
    long upTo = -1;
    GtidSet gone = released;
    Progress first;
    while ((first = waiting.peekFirst()) != null
        && flushed.containsAll(first.transactions())
        && now.settled().containsAll(first.transactions())
        && first.index() < now.settledIndex()) {
      upTo = first.index();
      gone = first.transactions();
      waiting.removeFirst();
    }
    if (upTo >= 0) {
      released = gone; // before they are
      release.accept(upTo);
    }
  }
}
