package io.alrai.dn.group;

import io.alrai.common.time.HlcTimestamp;
import io.alrai.dn.binlog.BinlogException;
import io.alrai.dn.binlog.BinlogTransaction;
import io.alrai.dn.binlog.EventBytes;
import io.alrai.dn.binlog.Gtid;
import io.alrai.dn.binlog.GtidSet;
import io.alrai.dn.binlog.TransactionKind;
import io.alrai.dn.ship.Backlog;
import java.util.Map;
import java.util.Optional;

/**
 * What somebody who follows a DN has missed, out of its group's log. All of it is visible at the
 * leader, so its stamps are final.
 */
public final class GroupBacklog implements Backlog {
  /** Transactions up to this length come with their events. */
  private static final int MOST_BYTES = 8 << 20;

  private final GroupReader reader;
  private final GtidSet until;
  private final Map<Gtid, HlcTimestamp> restamped;

  /**
   * Reads the log once from its begin.
   *
   * @param known what is not wanted
   * @param until what is visible: all that is wanted
   * @throws BinlogException where somebody knows what is not visible, or the log cannot be read
   */
  public GroupBacklog(GroupSource source, GtidSet known, GtidSet until) {
    if (!until.containsAll(known)) {
      throw BinlogException.gone("who follows has seen " + known + ", and only " + until + " is");
    }
    this.until = until;
    try {
      this.restamped = source.restamped(known);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new BinlogException("interrupted while the group's log was read", e);
    }
    this.reader = source.open(known);
  }

  @Override
  public Optional<Missed> next(long millis) throws InterruptedException {
    Shipped next = reader.poll(millis);
    while (next != null && !until.contains(next.gtid())) {
      next = reader.poll(millis); // it comes by the feed
    }
    return Optional.ofNullable(next).map(this::missed);
  }

  private Missed missed(Shipped next) {
    HlcTimestamp stamp = restamped.getOrDefault(next.gtid(), next.stamp());
    boolean unknown =
        stamp.equals(HlcTimestamp.ZERO) && next.kind() instanceof TransactionKind.XaCommit;
    return new Missed(withEvents(next), unknown ? Optional.empty() : Optional.of(stamp));
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
