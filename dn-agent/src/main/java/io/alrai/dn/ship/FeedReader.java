package io.alrai.dn.ship;

import io.alrai.common.time.HlcTimestamp;
import io.alrai.dn.binlog.BinlogException;
import io.alrai.dn.binlog.BinlogPosition;
import io.alrai.dn.binlog.BinlogTransaction;
import io.alrai.dn.binlog.GtidSet;
import io.alrai.dn.binlog.LogReader;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * One reader of a feed: every transaction once, in the order of the log, only what is visible.
 * Belongs to its reader's thread.
 *
 * <pre>
 *            has missed nothing
 *  UNPLACED ---------------------> NEAR (from memory) ---+
 *     |  ^                          ^                    | gone from memory, or held without its events
 *     |  | another life, broken     | caught up          v
 *     +--+-------------------------FAR (from the mysqld) &lt;+
 * </pre>
 */
public final class FeedReader implements AutoCloseable {
  private static final long CAUGHT_UP_NANOS = TimeUnit.MILLISECONDS.toNanos(10);
  private static final long RETRY_NANOS = TimeUnit.MILLISECONDS.toNanos(100);

  private final Feed feed;
  private final LogReader.Source log;
  private final long farBytes;
  private final GtidSet consumed;
  private volatile @Nullable BinlogPosition consumedTo;
  private final Stamps stamps = new Stamps();
  private Optional<HlcTimestamp> stamp = Optional.empty();
  private long life;
  private long nextNumber = -1;
  private @Nullable LogReader reader;

  /** Read from the mysqld and not yet visible. */
  private @Nullable BinlogTransaction early;

  FeedReader(Feed feed, LogReader.Source log, long farBytes, GtidSet consumed) {
    this.feed = feed;
    this.log = log;
    this.farBytes = farBytes;
    this.consumed = consumed;
  }

  /** What was given, and what the reader had before; a copy. */
  public GtidSet position() {
    return consumed.copy();
  }

  /**
   * The stamp of what {@link #next} gave last; ZERO for what changes no visible row. Empty when it
   * became visible before the subscription began, or so long ago that stamps were forgotten.
   */
  public Optional<HlcTimestamp> stamp() {
    return stamp;
  }

  Stamps stamps() {
    return stamps;
  }

  /** Whether it is served from memory. */
  public boolean near() {
    return nextNumber >= 0;
  }

  /**
   * Where the last one that was given ends, or a later place up to which nothing was missed; null
   * while there is neither. Any thread.
   */
  @Nullable BinlogPosition consumedTo() {
    return consumedTo;
  }

  /**
   * The next transaction. It counts as consumed when this returns.
   *
   * @return empty when none came in time
   * @throws BinlogException when the mysqld has no longer what comes next
   */
  public Optional<BinlogTransaction> next(Duration atMost) throws InterruptedException {
    long deadline = System.nanoTime() + atMost.toNanos();
    do {
      if (life != feed.life()) {
        life = feed.life();
        unplace();
      }
      long left = Math.max(0, deadline - System.nanoTime());
      Optional<BinlogTransaction> found = near() ? nextNear(left) : nextFar(left);
      if (found.isPresent()) {
        consumed.add(found.get().gtid());
        consumedTo = found.get().end();
        stamp = stamps.take(found.get().gtid());
        return found;
      }
    } while (System.nanoTime() - deadline < 0);
    return Optional.empty();
  }

  private void unplace() {
    nextNumber = -1;
    early = null;
    LogReader open = reader;
    reader = null;
    if (open != null) {
      open.close();
    }
  }

  private Optional<BinlogTransaction> nextNear(long nanos) throws InterruptedException {
    return switch (feed.awaitNear(nextNumber, nanos)) {
      case Feed.Near.Later later -> Optional.empty();
      case Feed.Near.Gone gone -> {
        unplace();
        yield Optional.empty();
      }
      case Feed.Near.Next next -> {
        BinlogTransaction transaction = next.transaction();
        if (transaction.events().isEmpty() && transaction.length() <= farBytes) {
          unplace(); // the mysqld gives it with its events
          yield Optional.empty();
        }
        nextNumber++;
        yield unlessConsumed(transaction);
      }
    };
  }

  private Optional<BinlogTransaction> unlessConsumed(BinlogTransaction transaction) {
    return consumed.contains(transaction.gtid()) ? Optional.empty() : Optional.of(transaction);
  }

  private Optional<BinlogTransaction> nextFar(long nanos) throws InterruptedException {
    if (life == 0) {
      awaitLife(nanos);
      return Optional.empty();
    }
    LogReader from = reader;
    if (from == null && placeAtTip()) {
      return Optional.empty();
    }
    if (from == null) {
      from = log.open(consumed.copy(), farBytes);
      reader = from;
    }
    BinlogTransaction read = early;
    if (read == null) {
      read = poll(from, Math.min(nanos, CAUGHT_UP_NANOS)).orElse(null);
    }
    if (read == null) {
      return Optional.empty();
    }
    if (!feed.awaitVisible(read, nanos)) {
      early = read;
      return Optional.empty();
    }
    early = null;
    Optional<Long> number = feed.numberOf(read);
    if (number.isPresent()) {
      unplace();
      nextNumber = number.get() + 1;
    }
    return unlessConsumed(read);
  }

  /** A mysqld that is away: until another life begins, or it is time to try again. */
  private void awaitLife(long nanos) throws InterruptedException {
    feed.awaitNear(Long.MAX_VALUE, Math.min(nanos, RETRY_NANOS));
  }

  private Optional<BinlogTransaction> poll(LogReader from, long nanos) throws InterruptedException {
    Optional<BinlogTransaction> read;
    try {
      // rounded up: less than a millisecond would be no wait at all
      read = from.poll((nanos + 999_999) / 1_000_000);
    } catch (BinlogException e) {
      if (e.positionLost()) {
        throw e;
      }
      unplace();
      awaitLife(nanos);
      return Optional.empty();
    }
    if (read.isEmpty()) {
      placeAtTip();
    }
    return read;
  }

  private boolean placeAtTip() {
    Optional<Feed.Tip> tip = feed.tipIfComplete(consumed);
    if (tip.isEmpty()) {
      return false;
    }
    unplace();
    nextNumber = tip.get().number();
    consumedTo = tip.get().position();
    return true;
  }

  /** Ends it; what it wanted of the log may go. */
  @Override
  public void close() {
    unplace();
    feed.unsubscribe(this);
  }
}
