package io.alrai.dn.feed;

import io.alrai.common.time.HlcTimestamp;
import io.alrai.dn.binlog.BinlogException;
import io.alrai.dn.binlog.BinlogTransaction;
import io.alrai.dn.binlog.GtidSet;
import io.alrai.dn.group.GroupBacklog;
import io.alrai.dn.group.GroupSource;
import io.alrai.dn.ship.Backlog;
import io.alrai.dn.ship.LeadNumber;
import io.alrai.dn.ship.LogPlace;
import io.alrai.dn.ship.LogSubscription;
import io.alrai.dn.ship.Mark;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Gives the log of a DN from one mark to the next.
 *
 * <pre>
 *  a mark -> the member's log is read up to its entry -> what is visible and was not given
 *    ^                                                                     |
 *    '----------- the mark's place is reached <----------------------------'
 * </pre>
 */
final class MemberFeed implements LogSubscription {
  private static final long SLICE_NANOS = TimeUnit.MILLISECONDS.toNanos(100);

  private final String name;
  private final Marks marks;
  private final LongSupplier nanos;
  private final GroupBacklog backlog;

  /** The last one. */
  private Mark mark;

  /** The log is not read up to the mark's entry yet. */
  private boolean waits = true;

  /** Since when. */
  private long waitsNanos;

  private @Nullable LogPlace place;
  private Optional<HlcTimestamp> stamp = Optional.empty();

  /**
   * A feed.
   *
   * @param name of the member
   * @param known what is not wanted
   * @param mark the first one
   * @param nanos monotonic time
   */
  MemberFeed(
      String name, GroupSource source, Marks marks, GtidSet known, Mark mark, LongSupplier nanos) {
    this.name = name;
    this.marks = marks;
    this.nanos = nanos;
    this.mark = mark;
    this.waitsNanos = nanos.getAsLong();
    this.backlog = new GroupBacklog(source, known);
  }

  /**
   * Waits until it is known that nothing that is visible is missing; may be interrupted.
   *
   * @throws BinlogException where something is, or the mark's entry is not heard of
   */
  void begin() throws InterruptedException {
    while (waits) {
      look(SLICE_NANOS);
    }
  }

  private void look(long waitNanos) throws InterruptedException {
    waits = !backlog.extend(mark.visible(), mark.index(), TimeUnit.NANOSECONDS.toMillis(waitNanos));
    requireToHear();
  }

  @Override
  public Optional<BinlogTransaction> next(Duration atMost) throws InterruptedException {
    long end = nanos.getAsLong() + atMost.toNanos();
    while (true) {
      long left = Math.max(0, end - nanos.getAsLong());
      if (waits) {
        look(left);
      } else if (backlog.isAtEnd()) {
        place = mark.place();
        backlog.readOn();
        Optional<Mark> next = marks.next(backlog.given(), backlog.hasMore(), left);
        if (next.isPresent()) {
          mark = next.get();
          waits = true;
          waitsNanos = nanos.getAsLong();
          continue;
        }
      } else {
        place = null;
        Optional<Backlog.Missed> missed = backlog.next(TimeUnit.NANOSECONDS.toMillis(left));
        if (missed.isPresent()) {
          stamp = missed.get().stamp();
          return missed.map(Backlog.Missed::transaction);
        }
      }
      if (left == 0) {
        return Optional.empty();
      }
    }
  }

  private void requireToHear() {
    if (waits && nanos.getAsLong() - waitsNanos > Marks.MOST_VAIN_NANOS) {
      throw new BinlogException(name + " has not heard of entry " + mark.index() + " yet");
    }
  }

  @Override
  public Optional<HlcTimestamp> stamp() {
    return stamp;
  }

  @Override
  public LeadNumber lead() {
    return mark.place().lead();
  }

  @Override
  public Optional<LogPlace> place() {
    return Optional.ofNullable(place);
  }

  @Override
  public GtidSet position() {
    return backlog.given();
  }

  @Override
  public void close() {
    backlog.close();
  }
}
