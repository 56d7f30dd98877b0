package io.alrai.dn.group;

import io.alrai.common.time.HlcTimestamp;
import io.alrai.dn.binlog.BinlogException;
import io.alrai.dn.binlog.BinlogTransaction;
import io.alrai.dn.binlog.EventBytes;
import io.alrai.dn.binlog.GtidSet;
import io.alrai.dn.binlog.TransactionKind;
import io.alrai.dn.ship.Backlog;
import java.util.ArrayDeque;
import java.util.Iterator;
import java.util.Optional;
import java.util.Queue;
import org.jspecify.annotations.Nullable;

/**
 * What somebody who follows a DN has missed, out of its group's log. All of it is visible at the
 * leader, so its stamps are final. It is looked for before any of it is given: what comes later
 * must not come without what is before it.
 */
public final class GroupBacklog implements Backlog {
  /** Transactions up to this length come with their events. */
  private static final int MOST_BYTES = 8 << 20;

  private final GroupReader reader;
  private final GroupSource.Look look;

  /** What was known before, and what was given. */
  private final GtidSet given;

  /**
   * Read already, and not visible yet, with its events, as its entries are not kept for this any
   * more.
   */
  private record Early(Shipped shipped, BinlogTransaction transaction) {}

  /** In the order of the log. */
  private final Queue<Early> early = new ArrayDeque<>();

  private GtidSet until;

  /**
   * One that wants nothing more at first, see {@link #extend}.
   *
   * @param known what is not wanted
   */
  public GroupBacklog(GroupSource source, GtidSet known) {
    this.given = known.copy();
    this.until = known.copy();
    this.reader = source.open(known); // first: the look must not lag
    boolean opened = false;
    try {
      this.look = source.look(known);
      opened = true;
    } finally {
      if (!opened) {
        reader.close();
      }
    }
  }

  /**
   * Reads the log once from its begin.
   *
   * @param known what is not wanted
   * @param until what is visible: all that is wanted
   * @throws BinlogException where somebody knows what is not visible, or the log cannot be read, or
   *     has not all of it any more
   */
  public GroupBacklog(GroupSource source, GtidSet known, GtidSet until) {
    this(source, known);
    boolean opened = false;
    try {
      if (!until.containsAll(known)) {
        throw BinlogException.gone("who follows has seen " + known + ", and only " + until + " is");
      }
      look.toEnd();
      require(until);
      opened = true;
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new BinlogException("interrupted while the group's log was read", e);
    } finally {
      if (!opened) {
        reader.close();
      }
    }
  }

  /**
   * More is wanted.
   *
   * @param to what is visible; at least what was given
   * @param index the last entry with a transaction or stamp of it
   * @return whether the log is here up to that entry, now or in time; else nothing has changed
   * @throws BinlogException where the log has not all of it any more: none of it is given
   */
  public boolean extend(GtidSet to, long index, long millis) throws InterruptedException {
    if (!look.to(index, millis)) {
      return false;
    }
    require(to);
    return true;
  }

  private void require(GtidSet to) {
    if (!look.found().containsAll(to)) {
      throw BinlogException.gone(
          "transactions that are wanted are not in the group's log any more: "
              + to.without(look.found()));
    }
    until = to;
  }

  /** Whether all was given that is wanted. */
  public boolean isAtEnd() {
    return given.containsAll(until);
  }

  /** Whether the log has transactions, as far as it was looked at, that are not wanted yet. */
  public boolean hasMore() {
    return !until.containsAll(look.found());
  }

  /** What was known before, and what was given; a copy. */
  public GtidSet given() {
    return given.copy();
  }

  /** Reads on where nothing is wanted now: the log need not be kept for this up to there. */
  public void readOn() throws InterruptedException {
    Shipped read;
    while ((read = reader.poll(0)) != null) {
      early.add(new Early(read, withEvents(read)));
    }
    look.toEnd();
  }

  @Override
  public Optional<Missed> next(long millis) throws InterruptedException {
    Early next = visibleNow();
    while (next == null) {
      Shipped read = reader.poll(millis);
      if (read == null) {
        return Optional.empty();
      }
      Early one = new Early(read, withEvents(read));
      if (until.contains(read.gtid())) {
        next = one;
      } else {
        early.add(one);
      }
    }
    given.add(next.shipped().gtid());
    return Optional.of(missed(next));
  }

  private @Nullable Early visibleNow() {
    for (Iterator<Early> each = early.iterator(); each.hasNext(); ) {
      Early one = each.next();
      if (until.contains(one.shipped().gtid())) {
        each.remove();
        return one;
      }
    }
    return null;
  }

  private Missed missed(Early next) {
    Shipped shipped = next.shipped();
    HlcTimestamp stamp = look.restamped(shipped.gtid()).orElse(shipped.stamp());
    boolean unknown =
        stamp.equals(HlcTimestamp.ZERO) && shipped.kind() instanceof TransactionKind.XaCommit;
    return new Missed(next.transaction(), unknown ? Optional.empty() : Optional.of(stamp));
  }

  private static BinlogTransaction withEvents(Shipped next) {
    BinlogTransaction transaction = next.transaction();
    if (transaction.events().isPresent() || next.length() > MOST_BYTES) {
      return transaction;
    }
    byte[] bytes = new byte[Math.toIntExact(next.length())];
    int[] filled = {0};
    next.forEachPiece(piece -> {
      int length = piece.remaining();
      piece.get(bytes, filled[0], length);
      filled[0] += length;
    });
    return transaction.with(new EventBytes(bytes));
  }

  @Override
  public void close() {
    reader.close();
  }
}
