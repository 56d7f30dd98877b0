package io.alrai.dn.ship;

import io.alrai.common.time.HlcTimestamp;
import io.alrai.dn.binlog.BinlogException;
import io.alrai.dn.binlog.BinlogTransaction;
import io.alrai.dn.binlog.GtidSet;
import java.time.Duration;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Reads the log of a DN at its leader: first what an earlier subscription has missed, then the
 * leader's feed.
 */
public final class LedSubscription implements LogSubscription {
  private final LeadNumber lead;
  private final FeedReader feed;

  /** What is visible when this begins, from where on the feed has everything. */
  private final GtidSet until;

  /** What was given of the backlog, and what was known before. */
  private final GtidSet known;

  private @Nullable Backlog backlog;
  private Optional<HlcTimestamp> stamp = Optional.empty();

  private LedSubscription(LeadNumber lead, FeedReader feed, GtidSet known) {
    this.lead = lead;
    this.feed = feed;
    this.until = feed.position();
    this.known = known;
  }

  /** Reads what becomes visible from now on. */
  public static LedSubscription fromNow(LeadNumber lead, Feed feed) {
    FeedReader reader = feed.subscribe();
    return new LedSubscription(lead, reader, reader.position());
  }

  /**
   * Reads what is not in the set, and then on.
   *
   * @param known what the reader has; copied
   * @throws BinlogException when not all of it can be had, or the reader has what nobody has any
   *     more, as its DN's group was forced
   */
  public static LedSubscription after(
      GtidSet known, LeadNumber lead, Feed feed, Backlog.Source missed) {
    Optional<FeedReader> again = feed.subscribeAgain(known);
    if (again.isPresent()) {
      return new LedSubscription(lead, again.get(), known.copy());
    }
    LedSubscription subscription = new LedSubscription(lead, feed.subscribe(), known.copy());
    boolean opened = false;
    try {
      if (!subscription.until.containsAll(known)) {
        throw BinlogException.gone(
            "who follows has seen " + known + ", and only " + subscription.until + " is visible");
      }
      if (!subscription.known.containsAll(subscription.until)) {
        subscription.backlog = missed.open(subscription.known.copy(), subscription.until.copy());
      }
      opened = true;
      return subscription;
    } catch (BinlogException forgotten) {
      Optional<FeedReader> lately =
          forgotten.positionLost() ? feed.subscribeLately(known) : Optional.empty();
      return new LedSubscription(
          lead, lately.orElseThrow(() -> forgotten), subscription.known.copy());
    } finally {
      if (!opened) {
        subscription.close();
      }
    }
  }

  @Override
  public Optional<BinlogTransaction> next(Duration atMost) throws InterruptedException {
    Backlog behind = backlog;
    if (behind == null) {
      Optional<BinlogTransaction> next = feed.next(atMost);
      if (next.isPresent()) {
        stamp = feed.stamp();
      }
      return next;
    }
    Optional<Backlog.Missed> missed = behind.next(atMost.toMillis());
    missed.ifPresent(one -> {
      stamp = one.stamp();
      known.add(one.transaction().gtid());
      if (known.containsAll(until)) {
        closeBacklog();
      }
    });
    return missed.map(Backlog.Missed::transaction);
  }

  private void closeBacklog() {
    Backlog open = backlog;
    backlog = null;
    if (open != null) {
      open.close();
    }
  }

  @Override
  public Optional<HlcTimestamp> stamp() {
    return stamp;
  }

  @Override
  public LeadNumber lead() {
    return lead;
  }

  @Override
  public Optional<LogPlace> place() {
    return backlog == null
        ? Optional.ofNullable(feed.consumedTo()).map(position -> new LogPlace(lead, position))
        : Optional.empty();
  }

  @Override
  public GtidSet position() {
    return backlog == null ? feed.position() : known.copy();
  }

  @Override
  public void close() {
    closeBacklog();
    feed.close();
  }
}
