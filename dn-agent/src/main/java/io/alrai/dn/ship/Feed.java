package io.alrai.dn.ship;

import io.alrai.common.time.HlcTimestamp;
import io.alrai.dn.binlog.BinlogPosition;
import io.alrai.dn.binlog.BinlogTransaction;
import io.alrai.dn.binlog.GtidSet;
import io.alrai.dn.binlog.LogReader;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The last transactions that became visible on a DN, and those who read them. Thread-safe. Never
 * waits for a reader: who is too slow finds its next transaction gone from memory and reads it from
 * the mysqld.
 *
 * <pre>
 *  number:     first                    next
 *  ... gone ... | held in a ring ........ | to come
 * </pre>
 */
public final class Feed {
  private final FeedBounds bounds;
  private final LogReader.Source log;

  // Guarded by this:
  private final @Nullable BinlogTransaction[] ring;
  private final List<Subscription> subscriptions = new ArrayList<>();
  private GtidSet visible = new GtidSet();
  private @Nullable BinlogPosition end;
  private long first;
  private long next;
  private long bytes;
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
  public synchronized void begin(GtidSet now, BinlogPosition start) {
    while (first < next) {
      dropFirst();
    }
    visible = now;
    end = start;
    life++;
    notifyAll();
  }

  /**
   * The next transaction was let through. Never waits.
   *
   * @param stamp its place in time; ZERO for what changes no visible row
   */
  public synchronized void publish(BinlogTransaction transaction, HlcTimestamp stamp) {
    subscriptions.forEach(subscription -> subscription.stamps().put(transaction.gtid(), stamp));
    if (next - first == ring.length) {
      dropFirst();
    }
    ring[slot(next++)] = transaction;
    bytes += transaction.heldBytes();
    while (bytes > bounds.nearBytes() && first < next) {
      dropFirst();
    }
    visible.add(transaction.gtid());
    end = transaction.end();
    notifyAll();
  }

  private int slot(long number) {
    return (int) (number % ring.length);
  }

  private BinlogTransaction at(long number) {
    BinlogTransaction held = ring[slot(number)];
    if (held == null) {
      throw new IllegalStateException(number + " is not between " + first + " and " + next);
    }
    return held;
  }

  private void dropFirst() {
    bytes -= at(first).heldBytes();
    ring[slot(first++)] = null;
  }

  /**
   * Reads everything that is not in the set, from the oldest to what is still to come.
   *
   * @param consumed the reader's position; copied
   */
  public synchronized Subscription subscribe(GtidSet consumed) {
    Subscription subscription = new Subscription(this, log, bounds.farBytes(), consumed.copy());
    subscriptions.add(subscription);
    return subscription;
  }

  /** Reads what becomes visible from now on; it is stamped, see {@link Subscription#stamp}. */
  public synchronized Subscription subscribe() {
    return subscribe(visible);
  }

  synchronized void unsubscribe(Subscription subscription) {
    subscriptions.remove(subscription);
  }

  /**
   * The oldest file of the log that a subscription may still want, or the current one.
   *
   * @return empty when that is not known, so that nothing may go
   */
  public synchronized Optional<String> oldestWanted() {
    BinlogPosition oldest = end;
    for (Subscription subscription : subscriptions) {
      BinlogPosition wanted = subscription.consumedTo();
      if (wanted == null || oldest == null) {
        return Optional.empty();
      }
      oldest = wanted.compareTo(oldest) < 0 ? wanted : oldest;
    }
    return Optional.ofNullable(oldest).map(BinlogPosition::file);
  }

  /** Grows with each life of the mysqld; 0 before the first. */
  synchronized long life() {
    return life;
  }

  /**
   * The end, if a reader with that position has missed nothing.
   *
   * @param number of the next transaction to come
   */
  record Tip(long number, BinlogPosition position) {}

  synchronized Optional<Tip> tipIfComplete(GtidSet consumed) {
    BinlogPosition known = end;
    return known != null && consumed.containsAll(visible)
        ? Optional.of(new Tip(next, known))
        : Optional.empty();
  }

  /** The number of that transaction, if it is held. */
  synchronized Optional<Long> numberOf(BinlogTransaction transaction) {
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
  }

  /** Waits until it is let through; false when that does not happen in time. */
  synchronized boolean awaitVisible(BinlogTransaction transaction, long millis)
      throws InterruptedException {
    long deadline = System.nanoTime() + millis * 1_000_000;
    long started = life;
    while (!visible.contains(transaction.gtid())) {
      long left = (deadline - System.nanoTime()) / 1_000_000;
      if (left <= 0 || life != started) {
        return false;
      }
      wait(left);
    }
    return true;
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
  synchronized Near awaitNear(long number, long millis) throws InterruptedException {
    long deadline = System.nanoTime() + millis * 1_000_000;
    long started = life;
    while (number >= next) {
      long left = (deadline - System.nanoTime()) / 1_000_000;
      if (left <= 0 || life != started) {
        return new Near.Later();
      }
      wait(left);
    }
    return number < first ? new Near.Gone() : new Near.Next(at(number));
  }
}
