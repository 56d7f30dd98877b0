package io.alrai.dn.ship;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import io.alrai.common.time.HlcTimestamp;
import io.alrai.dn.binlog.BinlogPosition;
import io.alrai.dn.binlog.BinlogTransaction;
import io.alrai.dn.binlog.GtidSet;
import io.alrai.dn.binlog.LogReader;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * The last transactions that became visible on a DN, and those who read them. Thread-safe. Never
 * waits for a reader: one that is too slow finds its next transaction gone from memory and reads it
 * from the mysqld. While nobody reads, none is held.
 *
 * <pre>
 *  number:     first                    next
 *  ... gone ... | held in a ring ........ | to come
 * </pre>
 */
public final class Feed {
  private final FeedBounds bounds;
  private final LogReader.Source log;

  private final ReentrantLock lock = new ReentrantLock();

  /** A transaction more, or another life. */
  private final Condition moved = lock.newCondition();

  @GuardedBy("lock")
  private final @Nullable BinlogTransaction[] ring;

  @GuardedBy("lock")
  private final List<FeedReader> readers = new ArrayList<>();

  /**
   * The stamps of the last ones, which the mysqld's log does not have: for readers that come back.
   */
  @GuardedBy("lock")
  private final ArrayDeque<Stamps.Stamped> lately = new ArrayDeque<>();

  @GuardedBy("lock")
  private Keeping keeping = Keeping.OWN;

  /** What is kept of stamps. */
  private enum Keeping {
    /** Those of this life of the mysqld: nobody else has them. */
    OWN,
    /** Those of this life, for another gate: its DN has a group from now on. */
    LAST_LIFE,
    /** As before, until the mysqld's next life. */
    THIS_LIFE,
    /** Those of this life, for when the group's log has forgotten them. */
    GROUP
  }

  @GuardedBy("lock")
  private GtidSet visible = new GtidSet();

  @GuardedBy("lock")
  private @Nullable BinlogPosition end;

  @GuardedBy("lock")
  private long first;

  @GuardedBy("lock")
  private long next;

  @GuardedBy("lock")
  private long bytes;

  @GuardedBy("lock")
  private long life;

  /**
   * An empty feed.
   *
   * @param log for readers that have fallen behind
   */
  public Feed(FeedBounds bounds, LogReader.Source log) {
    this.bounds = bounds;
    this.log = log;
    this.ring = new BinlogTransaction[bounds.nearCount()];
  }

  /**
   * A life of the mysqld begins. What was published before stays true but is no longer held.
   *
   * @param now what is visible; the receiver's own
   */
  public void begin(GtidSet now, BinlogPosition start) {
    lock.lock();
    try {
      while (first < next) {
        dropFirst();
      }
      if (keeping != Keeping.LAST_LIFE) {
        lately.clear();
      }
      keeping =
          switch (keeping) {
            case OWN -> Keeping.OWN;
            case LAST_LIFE -> Keeping.THIS_LIFE;
            case THIS_LIFE, GROUP -> Keeping.GROUP;
          };
      visible = now;
      end = start;
      life++;
      moved.signalAll();
    } finally {
      lock.unlock();
    }
  }

  /** It is a member's of a group: readers that come back are given what the group's log has. */
  public void ofGroup() {
    keep(Keeping.GROUP);
  }

  /**
   * As {@link #ofGroup}, from the mysqld's next life on: the next {@link #begin} comes with the
   * mysqld as it is, and what was published is in its log still.
   */
  public void joinsGroup() {
    keep(Keeping.LAST_LIFE);
  }

  private void keep(Keeping what) {
    lock.lock();
    try {
      keeping = what;
    } finally {
      lock.unlock();
    }
  }

  /**
   * The next transaction was let through. Never waits.
   *
   * @param stamp its place in time; ZERO for what changes no visible row
   */
  public void publish(BinlogTransaction transaction, HlcTimestamp stamp) {
    lock.lock();
    try {
      for (FeedReader reader : readers) {
        reader.stamps().put(transaction.gtid(), stamp);
      }
      if (lately.size() == ring.length) {
        lately.remove();
      }
      lately.add(new Stamps.Stamped(transaction.gtid(), stamp));
      if (next - first == ring.length) {
        dropFirst();
      }
      ring[slot(next++)] = transaction;
      bytes += transaction.heldBytes();
      while (first < next && (readers.isEmpty() || bytes > bounds.nearBytes())) {
        dropFirst();
      }
      visible.add(transaction.gtid());
      end = transaction.end();
      moved.signalAll();
    } finally {
      lock.unlock();
    }
  }

  @GuardedBy("lock")
  private int slot(long number) {
    return (int) (number % ring.length);
  }

  @GuardedBy("lock")
  private BinlogTransaction at(long number) {
    BinlogTransaction held = ring[slot(number)];
    if (held == null) {
      throw new IllegalStateException(number + " is not between " + first + " and " + next);
    }
    return held;
  }

  @GuardedBy("lock")
  private void dropFirst() {
    bytes -= at(first).heldBytes();
    ring[slot(first++)] = null;
  }

  /**
   * Reads everything that is not in the set, from the oldest to what is still to come.
   *
   * @param consumed the reader's position; copied
   */
  public FeedReader subscribe(GtidSet consumed) {
    lock.lock();
    try {
      return added(consumed);
    } finally {
      lock.unlock();
    }
  }

  /**
   * Reads everything that is not in the set, with its stamps.
   *
   * @param consumed the reader's position; copied
   * @return empty where not all of that was published lately, or a group's log is to be asked first
   */
  public Optional<FeedReader> subscribeAgain(GtidSet consumed) {
    lock.lock();
    try {
      return keeping == Keeping.GROUP ? Optional.empty() : subscribeLately(consumed);
    } finally {
      lock.unlock();
    }
  }

  /**
   * As {@link #subscribeAgain}, when a group's log has forgotten some of that: the mysqld's may
   * have it.
   */
  public Optional<FeedReader> subscribeLately(GtidSet consumed) {
    lock.lock();
    try {
      GtidSet covered = consumed.copy();
      List<Stamps.Stamped> missed = new ArrayList<>();
      for (Stamps.Stamped one : lately) {
        if (!consumed.contains(one.gtid())) {
          missed.add(one);
          covered.add(one.gtid());
        }
      }
      if (!covered.equals(visible)) {
        return Optional.empty();
      }
      FeedReader reader = added(consumed);
      missed.forEach(one -> reader.stamps().put(one.gtid(), one.stamp()));
      return Optional.of(reader);
    } finally {
      lock.unlock();
    }
  }

  /** What is visible now. */
  public GtidSet visible() {
    lock.lock();
    try {
      return visible.copy();
    } finally {
      lock.unlock();
    }
  }

  /**
   * What is visible.
   *
   * @param transactions all of it; the receiver's own
   * @param end up to where of the present life's log; empty before the first life
   */
  public record Visible(GtidSet transactions, Optional<BinlogPosition> end) {}

  /** What is visible now, with the place at which it is. */
  public Visible now() {
    lock.lock();
    try {
      return new Visible(visible.copy(), Optional.ofNullable(end));
    } finally {
      lock.unlock();
    }
  }

  /** Reads what becomes visible from now on; it is stamped, see {@link FeedReader#stamp}. */
  public FeedReader subscribe() {
    lock.lock();
    try {
      return added(visible);
    } finally {
      lock.unlock();
    }
  }

  @GuardedBy("lock")
  private FeedReader added(GtidSet consumed) {
    FeedReader reader = new FeedReader(this, log, bounds.farBytes(), consumed.copy());
    readers.add(reader);
    return reader;
  }

  void unsubscribe(FeedReader reader) {
    lock.lock();
    try {
      readers.remove(reader);
      while (first < next && readers.isEmpty()) {
        dropFirst();
      }
    } finally {
      lock.unlock();
    }
  }

  /**
   * The oldest file of the log that a reader may still want, or the current one.
   *
   * @return empty when that is not known, so that nothing may go
   */
  public Optional<String> oldestWanted() {
    lock.lock();
    try {
      BinlogPosition oldest = end;
      for (FeedReader reader : readers) {
        BinlogPosition wanted = reader.consumedTo();
        if (wanted == null || oldest == null) {
          return Optional.empty();
        }
        oldest = wanted.compareTo(oldest) < 0 ? wanted : oldest;
      }
      return Optional.ofNullable(oldest).map(BinlogPosition::file);
    } finally {
      lock.unlock();
    }
  }

  /** Grows with each life of the mysqld; 0 before the first. */
  long life() {
    lock.lock();
    try {
      return life;
    } finally {
      lock.unlock();
    }
  }

  /**
   * The end, if a reader with that position has missed nothing.
   *
   * @param number of the next transaction to come
   */
  record Tip(long number, BinlogPosition position) {}

  Optional<Tip> tipIfComplete(GtidSet consumed) {
    lock.lock();
    try {
      BinlogPosition known = end;
      return known != null && consumed.containsAll(visible)
          ? Optional.of(new Tip(next, known))
          : Optional.empty();
    } finally {
      lock.unlock();
    }
  }

  /** The number of that transaction, if it is held. */
  Optional<Long> numberOf(BinlogTransaction transaction) {
    lock.lock();
    try {
      long low = first;
      long high = next;
      while (low < high) {
        long middle = (low + high) >>> 1;
        int order = at(middle).end().compareTo(transaction.end());
        if (order == 0) {
          return Optional.of(middle);
        }
        if (order < 0) {
          low = middle + 1;
        } else {
          high = middle;
        }
      }
      return Optional.empty();
    } finally {
      lock.unlock();
    }
  }

  /** Waits until it is let through; false when that does not happen in time. */
  boolean awaitVisible(BinlogTransaction transaction, long nanos) throws InterruptedException {
    lock.lock();
    try {
      long left = nanos;
      long started = life;
      while (!visible.contains(transaction.gtid())) {
        if (left <= 0 || life != started) {
          return false;
        }
        left = moved.awaitNanos(left);
      }
      return true;
    } finally {
      lock.unlock();
    }
  }

  /** What a reader near the end gets. */
  sealed interface Near {
    /** The transaction of that number. */
    record Next(BinlogTransaction transaction) implements Near {}

    /** It is gone from memory. */
    record Gone() implements Near {}

    /** It is still to come. */
    record Later() implements Near {}
  }

  /** The transaction of that number, if it comes in time and before another life begins. */
  Near awaitNear(long number, long nanos) throws InterruptedException {
    lock.lock();
    try {
      long left = nanos;
      long started = life;
      while (number >= next) {
        if (left <= 0 || life != started) {
          return new Near.Later();
        }
        left = moved.awaitNanos(left);
      }
      return number < first ? new Near.Gone() : new Near.Next(at(number));
    } finally {
      lock.unlock();
    }
  }
}
