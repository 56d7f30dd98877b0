package io.alrai.dn.rpc;

import io.alrai.common.id.DnId;
import io.alrai.common.id.TransactionId;
import io.alrai.common.time.HlcTimestamp;
import io.alrai.dn.binlog.BinlogException;
import io.alrai.dn.binlog.BinlogPosition;
import io.alrai.dn.binlog.BinlogTransaction;
import io.alrai.dn.binlog.EventBytes;
import io.alrai.dn.binlog.Gtid;
import io.alrai.dn.binlog.GtidSet;
import io.alrai.dn.binlog.TableName;
import io.alrai.dn.binlog.TransactionKind;
import io.alrai.dn.ship.Backlog;
import io.alrai.dn.ship.DnLog;
import io.alrai.dn.ship.Feed;
import io.alrai.dn.ship.FeedBounds;
import io.alrai.dn.ship.LeadNumber;
import io.alrai.dn.ship.LedSubscription;
import io.alrai.dn.ship.LogPlace;
import io.alrai.dn.ship.LogSubscription;
import io.alrai.dn.ship.Mark;
import io.alrai.dn.ship.ResolvedPlace;
import io.alrai.dn.ship.SnapshotPlace;
import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;

/** A group's log without a mysqld: a feed, and answers that the test gives. */
final class FakeLog implements DnLog {
  static final LeadNumber LEAD = new LeadNumber(0, 40);
  private static final UUID SERVER = UUID.fromString("00000000-0000-0000-0000-00000000000a");

  private final DnId dn;
  private final Feed feed =
      new Feed(
          new FeedBounds(256 << 20, 1 << 14, 1 << 20),
          (from, bytes) -> {
            throw new BinlogException("there is no mysqld");
          });
  private final AtomicInteger subscriptions = new AtomicInteger();
  private final AtomicLong consumed = new AtomicLong();
  private long last;

  /** What {@link #follow(GtidSet)} reads first. */
  volatile Backlog.Source missed = Backlog.none("dn-1");

  volatile CompletableFuture<ResolvedPlace> resolved = new CompletableFuture<>();
  volatile CompletableFuture<Mark> mark = new CompletableFuture<>();
  volatile CompletableFuture<SnapshotPlace> place = new CompletableFuture<>();
  volatile CompletableFuture<Collection<TransactionId>> branches = new CompletableFuture<>();

  FakeLog(DnId dn) {
    this.dn = dn;
    feed.ofGroup();
    feed.begin(new GtidSet(), new BinlogPosition("binlog.000001", 4));
  }

  /** Lets a transaction through that has so many bytes of events. */
  synchronized BinlogTransaction publish(int bytes) {
    last++;
    BinlogTransaction next =
        new BinlogTransaction(
            new Gtid(SERVER, "", last),
            new BinlogPosition("binlog.000001", 1_000 * last),
            bytes,
            true,
            new TransactionKind.Commit(),
            7,
            List.of(new TableName("d", "t")),
            Optional.of(new EventBytes(new byte[bytes])));
    feed.publish(next, stampOf(last));
    return next;
  }

  /** It has what is visible, and can give none of that any more. */
  void forget() {
    feed.begin(feed.visible(), new BinlogPosition("binlog.000002", 4));
    missed = Backlog.none("dn-1");
  }

  static HlcTimestamp stampOf(long number) {
    return HlcTimestamp.ofMillis(1_700_000_000_000L + number);
  }

  @Override
  public DnId dn() {
    return dn;
  }

  @Override
  public LogSubscription follow() {
    return counted(LedSubscription.fromNow(LEAD, feed));
  }

  @Override
  public LogSubscription follow(GtidSet known) {
    return counted(LedSubscription.after(known, LEAD, feed, missed));
  }

  private LogSubscription counted(LogSubscription inner) {
    subscriptions.incrementAndGet();
    return new LogSubscription() {
      @Override
      public Optional<BinlogTransaction> next(Duration atMost) throws InterruptedException {
        Optional<BinlogTransaction> next = inner.next(atMost);
        next.ifPresent(transaction -> consumed.addAndGet(transaction.length()));
        return next;
      }

      @Override
      public Optional<HlcTimestamp> stamp() {
        return inner.stamp();
      }

      @Override
      public LeadNumber lead() {
        return inner.lead();
      }

      @Override
      public Optional<LogPlace> place() {
        return inner.place();
      }

      @Override
      public GtidSet position() {
        return inner.position();
      }

      @Override
      public void close() {
        inner.close();
        subscriptions.decrementAndGet();
      }
    };
  }

  /** Readers now. */
  int subscriptions() {
    return subscriptions.get();
  }

  /** Bytes of events that readers have taken. */
  long consumedBytes() {
    return consumed.get();
  }

  @Override
  public CompletableFuture<ResolvedPlace> resolve(HlcTimestamp wanted) {
    return resolved;
  }

  @Override
  public CompletableFuture<SnapshotPlace> place(HlcTimestamp at) {
    return place;
  }

  @Override
  public CompletableFuture<Mark> mark() {
    return mark;
  }

  @Override
  public CompletableFuture<Collection<TransactionId>> preparedBranches() {
    return branches;
  }
}
