package io.alrai.dn.raft;

import org.jspecify.annotations.Nullable;

/** Reads a member's log in order, from memory or disk. One thread at a time. */
public final class LogCursor {
  private final GroupLog log;
  private long next;

  LogCursor(GroupLog log, long from) {
    this.log = log;
    this.next = from;
  }

  /**
   * The next entry that is not void.
   *
   * @return null when none was committed in time
   * @throws io.alrai.common.error.AlraiException ALRAI_NODE_UNAVAILABLE: it is not kept any more,
   *     or the log is closed
   */
  public @Nullable LogEntry poll(long millis) throws InterruptedException {
    while (log.awaitCommitted(next, millis)) {
      LogEntry found = log.read(next).orElse(null);
      next++;
      if (found != null) {
        return found;
      }
    }
    return null;
  }

  /** The index of the entry that is looked at next: all before it have been read. */
  public long next() {
    return next;
  }
}
