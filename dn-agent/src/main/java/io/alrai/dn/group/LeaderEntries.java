package io.alrai.dn.group;

import io.alrai.common.error.AlraiException;
import io.alrai.common.error.ErrorCode;
import io.alrai.common.time.HlcTimestamp;
import io.alrai.dn.clock.NodeClock;
import io.netty.channel.EventLoop;
import java.util.ArrayDeque;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.RejectedExecutionException;
import java.util.function.Consumer;

/**
 * The entries that a leader has under way in its term. They are reported as committed in the order
 * in which they were sent; after the first that may not be nothing is reported any more. On the
 * gate's loop only.
 */
final class LeaderEntries {
  /** How far H is ahead of the clock. */
  static final long AHEAD = HlcTimestamp.ofMillis(400).value();

  private final GroupCommits.Appender log;
  private final EventLoop loop;
  private final NodeClock clock;
  private final Consumer<Throwable> lost;
  private final ArrayDeque<UnderWay> underWay = new ArrayDeque<>();
  private long bytes;
  private long asked;
  private boolean over;

  private record UnderWay(
      int bytes, CompletableFuture<Long> answer, CompletableFuture<Long> told) {}

  /**
   * Nothing is under way.
   *
   * @param lost hears once that the term has ended, or may have
   */
  LeaderEntries(
      GroupCommits.Appender log, EventLoop loop, NodeClock clock, Consumer<Throwable> lost) {
    this.log = log;
    this.loop = loop;
    this.clock = clock;
    this.lost = lost;
  }

  int count() {
    return underWay.size();
  }

  long bytes() {
    return bytes;
  }

  boolean over() {
    return over;
  }

  /** The largest H sent since time was last given back. */
  long asked() {
    return asked;
  }

  /** What was asked for is given back. */
  void giveBack() {
    asked = 0;
  }

  /** H for the next entry: ahead of the clock, and not below what must be in it. */
  HlcTimestamp next(long atLeast) {
    return new HlcTimestamp(Math.max(clock.nowValue() + AHEAD, atLeast));
  }

  /** H for an entry that is to reserve nothing: at the clock, and not below what was sent. */
  HlcTimestamp nextNotAhead() {
    return new HlcTimestamp(Math.max(clock.nowValue(), asked));
  }

  /**
   * Sends an entry after all others.
   *
   * @return completes with its index on the loop, after all before it; fails when the term has
   *     ended
   */
  CompletableFuture<Long> send(GroupEntry entry) {
    if (over) {
      return CompletableFuture.failedFuture(ended());
    }
    UnderWay sent;
    try {
      byte[] encoded = EntryCodec.encode(entry);
      sent = new UnderWay(encoded.length, log.append(encoded), new CompletableFuture<>());
    } catch (RuntimeException tooLong) {
      fail(tooLong);
      return CompletableFuture.failedFuture(ended());
    }
    asked = Math.max(asked, entry.reserved().value());
    underWay.add(sent);
    bytes += sent.bytes;
    sent.answer.whenComplete((index, error) -> answered());
    return sent.told;
  }

  /** Any thread. */
  private void answered() {
    try {
      loop.execute(this::tell);
    } catch (RejectedExecutionException stopping) {
      // nobody waits for it any more
    }
  }

  private void tell() {
    UnderWay first;
    while ((first = underWay.peek()) != null && first.answer.isDone()) {
      underWay.remove();
      bytes -= first.bytes;
      long index;
      try {
        index = first.answer.join();
      } catch (CompletionException e) {
        fail(e.getCause() == null ? e : e.getCause());
        first.told.completeExceptionally(ended());
        return;
      }
      first.told.complete(index);
    }
  }

  /** Nothing is reported as committed any more. */
  void fail(Throwable reason) {
    if (!over) {
      end();
      lost.accept(reason);
    }
  }

  /** As {@link #fail}, and nobody hears of it. */
  void end() {
    over = true;
    underWay.forEach(one -> one.told.completeExceptionally(ended()));
    underWay.clear();
    bytes = 0;
  }

  private static AlraiException ended() {
    return new AlraiException(
        ErrorCode.ALRAI_NODE_UNAVAILABLE, "this leader's term is over, or may be");
  }
}
