package io.alrai.gms.raft;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import io.alrai.common.time.HlcTimestamp;
import io.alrai.gms.command.Answer;

/**
 * The timestamps that this node may give away while it leads. Each entry of the log that reserves
 * some belongs to the one leader of its term; a later leader begins above all of them, and not
 * before its wall time is there too: by then a former leader that has not noticed yet has none
 * left. Thread-safe.
 *
 * <pre>
 *  reserved in term 3     in term 3        in term 4
 * |----given----next....|...............|----------------|
 *                                    last
 * </pre>
 */
final class TimestampWindow {
  @GuardedBy("this")
  private long term = -1;

  @GuardedBy("this")
  private long first;

  @GuardedBy("this")
  private long next;

  @GuardedBy("this")
  private long last = -1;

  /** An entry of that term has reserved these, both ends inclusive. */
  synchronized void reserved(long inTerm, long from, long through) {
    if (inTerm != term) {
      term = inTerm;
      first = from;
      next = from;
    }
    last = through;
  }

  /**
   * Gives the next ones, near the wall time where that is possible.
   *
   * @param leading the term in which this node leads now
   * @param count 1 or more
   * @return none when the window of that term is used up or has run out; none with a time to wait
   *     when it has not begun
   */
  synchronized Answer.Timestamps take(long leading, int count, long wallMillis) {
    long wall = HlcTimestamp.ofMillis(wallMillis).value();
    if (leading != term) {
      return Answer.Timestamps.NONE;
    }
    if (wall < first) {
      return new Answer.Timestamps(0, 0, (first - wall >>> HlcTimestamp.LOGICAL_BITS) + 1);
    }
    long from = Math.max(next, wall);
    if (from + count - 1 > last) {
      return Answer.Timestamps.NONE;
    }
    next = from + count;
    return new Answer.Timestamps(from, count, last - next >>> HlcTimestamp.LOGICAL_BITS);
  }
}
