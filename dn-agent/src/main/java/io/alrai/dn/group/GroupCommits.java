package io.alrai.dn.group;

import io.alrai.common.time.HlcTimestamp;
import io.alrai.dn.binlog.BinlogPosition;
import io.alrai.dn.binlog.BinlogTransaction;
import io.alrai.dn.binlog.EventBytes;
import io.alrai.dn.binlog.Gtid;
import io.alrai.dn.binlog.GtidSet;
import io.alrai.dn.binlog.LongEvents;
import io.alrai.dn.binlog.TableName;
import io.alrai.dn.clock.NodeClock;
import io.alrai.dn.gate.live.CommitLog;
import io.alrai.dn.group.GroupEntry.Stamped;
import io.netty.buffer.ByteBuf;
import io.netty.channel.EventLoop;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The commits of a leader in its group's log, for one term. What arrives in one turn of the loop
 * goes into one entry, and while many entries are under way more of it is gathered. On the gate's
 * loop, but for what says otherwise.
 */
public final class GroupCommits implements CommitLog, LongEvents, AutoCloseable {
  /** Most entries under way before transactions are gathered over several turns. */
  static final int FEW = 8;

  /** Bytes of an entry that is not waited for more. */
  static final int FEW_BYTES = 16 << 10;

  /** Bytes of an entry that is not waited for more while many are under way. */
  static final int MANY_BYTES = 256 << 10;

  /** Bytes of an entry that nothing more is added to. */
  private static final int FULL_BYTES = 1 << 20;

  /** While more is under way the mysqld's log is not read on. */
  static final long MOST_BYTES = 32 << 20;

  private static final long LOOK_MILLIS = 50;
  private static final long ASKED_NANOS = TimeUnit.SECONDS.toNanos(2);

  /** About what a transaction needs besides its events. */
  private static final int HEAD_BYTES = 128;

  private final EventLoop loop;
  private final NodeClock clock;
  private final LeaderEntries entries;
  private final GroupReservation reservation;
  private final Future<?> looks;
  private final List<GroupEntry.Written> gathered = new ArrayList<>();
  private long gatheredBytes;
  private boolean turnEnds;
  private GtidSet settled = new GtidSet();
  private @Nullable Written told;
  private @Nullable LongTransaction open;
  private @Nullable Runnable resume;

  /** Something is committed, and no entry was sent since: the others have not heard of that. */
  private boolean unheard;

  private long askedNanos;

  /** Writes an entry in the leader's term; see {@link io.alrai.dn.raft.GroupLog#append}. */
  public interface Appender {
    /** Completes with its index when it is committed; fails when it may not be, or is void. */
    CompletableFuture<Long> append(byte[] entry);
  }

  /**
   * A leader that has not begun.
   *
   * @param loop the gate's
   * @param lost hears once, on the loop, that its term has ended or may have
   */
  public GroupCommits(Appender log, EventLoop loop, NodeClock clock, Consumer<Throwable> lost) {
    this.loop = loop;
    this.clock = clock;
    this.reservation = new GroupReservation(loop, this::reserve);
    this.entries =
        new LeaderEntries(
            log,
            loop,
            clock,
            reason -> {
              forget();
              readOn();
              lost.accept(reason);
            });
    this.askedNanos = loop.ticker().nanoTime() - ASKED_NANOS;
    this.looks =
        loop.scheduleWithFixedDelay(this::look, LOOK_MILLIS, LOOK_MILLIS, TimeUnit.MILLISECONDS);
  }

  /** Up to which time this leader may speak. Any thread. */
  public Reservation reservation() {
    return reservation;
  }

  /**
   * The first entry of this leader. Any thread.
   *
   * @param known settled in the log so far
   * @return its index, when everything before it is known to be committed or lost
   */
  public CompletableFuture<Long> begin(GtidSet known) {
    GtidSet copy = known.copy();
    return onLoop(() -> {
      settled = copy;
      return send(new GroupEntry.Begin(entries.next(0), settled));
    });
  }

  /**
   * Decisions of these transactions need not be known any more. Any thread.
   *
   * @return completes when every later leader will know that
   */
  public CompletableFuture<Long> settle(GtidSet known) {
    GtidSet copy = known.copy();
    return onLoop(() -> {
      settled = copy;
      flush();
      return send(new GroupEntry.Clock(time(), settled));
    });
  }

  /**
   * Has the others hear of all that is committed. They hear it with the next entry, which this
   * writes where there is none, else with a sign of life only. Any thread.
   */
  public void spread() {
    if (!loop.isShuttingDown()) {
      loop.execute(() -> {
        endTurn();
        if (unheard && gathered.isEmpty()) {
          send(new GroupEntry.Clock(time(), settled));
        }
      });
    }
  }

  private CompletableFuture<Long> onLoop(Supplier<CompletableFuture<Long>> action) {
    return CompletableFuture.supplyAsync(action, loop).thenCompose(index -> index);
  }

  /** Every entry reserves time, and makes room when it is committed. */
  private CompletableFuture<Long> send(GroupEntry entry) {
    unheard = false;
    long h = entry.reserved().value();
    int givenBack = reservation.givenBack();
    return entries
        .send(entry)
        .thenApply(index -> {
          reservation.committed(h, givenBack);
          endTurn();
          if (entries.bytes() <= MOST_BYTES / 2) {
            readOn();
          }
          return index;
        });
  }

  private void readOn() {
    Runnable waiting = resume;
    resume = null;
    if (waiting != null) {
      waiting.run();
    }
  }

  // Transactions.

  @Override
  public boolean ownLog() {
    return false;
  }

  @Override
  public void begins(Written to) {
    told = to;
  }

  @Override
  public void ends() {
    told = null;
    forget();
  }

  private void forget() {
    open = null;
    gathered.clear();
    gatheredBytes = 0;
    reservation.end();
  }

  @Override
  public void append(BinlogTransaction transaction, HlcTimestamp stamp) {
    Stamped stamped = new Stamped(transaction, stamp);
    EventBytes events = transaction.events().orElse(null);
    if (events == null) {
      appendLast(stamped);
      return;
    }
    if (entries.over()) {
      return;
    }
    long bytes = HEAD_BYTES + events.length() + TableNames.bytes(transaction.tables());
    if (gatheredBytes + bytes > FULL_BYTES) {
      flush(); // what comes alone always fits
    }
    gathered.add(new GroupEntry.Written(stamped, events.buffer()));
    gatheredBytes += bytes;
    if (gatheredBytes >= (entries.count() < FEW ? FEW_BYTES : MANY_BYTES)) {
      flush();
    } else if (!turnEnds) {
      turnEnds = true;
      loop.execute(() -> {
        turnEnds = false;
        endTurn();
      });
    }
  }

  private void endTurn() {
    if (entries.count() < FEW) {
      flush();
    }
  }

  private void flush() {
    if (gathered.isEmpty()) {
      return;
    }
    long highest = 0;
    for (GroupEntry.Written one : gathered) {
      highest = Math.max(highest, one.stamped().stamp().value());
    }
    BinlogPosition end = gathered.getLast().stamped().transaction().end();
    GroupEntry entry = new GroupEntry.Transactions(entries.next(highest), gathered);
    gathered.clear();
    gatheredBytes = 0;
    sendDurable(entry, end);
  }

  private void sendDurable(GroupEntry entry, BinlogPosition end) {
    Written to = told;
    send(entry)
        .thenRun(() -> {
          unheard = true;
          if (to != null && told == to) {
            to.durable(end);
          }
        });
  }

  @Override
  public void restamped(long number, List<Restamp> stamps) {
    flush();
    long highest = 0;
    for (Restamp one : stamps) {
      highest = Math.max(highest, one.stamp().value());
    }
    Written to = told;
    send(new GroupEntry.Stamps(entries.next(highest), stamps))
        .thenRun(() -> {
          if (to != null && told == to) {
            to.stamps(number);
          }
        });
  }

  // Long transactions.

  @Override
  public void begins(Gtid gtid, long length) {
    open = new LongTransaction(gtid, length);
  }

  @Override
  public void take(ByteBuf bytes, int start, int length) {
    LongTransaction into = open;
    if (into != null && !entries.over()) {
      into.take(bytes, start, length, this::sendPiece);
    }
  }

  private void sendPiece(LongTransaction full) {
    flush();
    send(full.piece(entries.next(0), Optional.empty()));
  }

  private void appendLast(Stamped stamped) {
    LongTransaction ended = open;
    open = null;
    if (entries.over()) {
      return;
    }
    Gtid gtid = stamped.transaction().gtid();
    if (ended == null || !ended.gtid().equals(gtid) || !ended.whole()) {
      throw new IllegalStateException("the events of " + gtid + " have not come");
    }
    flush();
    Stamped last = stamped;
    if (TableNames.bytes(stamped.transaction().tables()) > TableNames.MOST_BYTES) {
      for (List<TableName> some : TableNames.parts(stamped.transaction().tables())) {
        send(new GroupEntry.Names(entries.next(0), gtid, some));
      }
      last = new Stamped(stamped.transaction().with(List.of()), stamped.stamp());
    }
    HlcTimestamp reserved = entries.next(stamped.stamp().value());
    sendDurable(ended.piece(reserved, Optional.of(last)), stamped.transaction().end());
  }

  @Override
  public boolean full(Runnable whenNot) {
    boolean full = entries.bytes() > MOST_BYTES;
    resume = full ? whenNot : resume;
    return full;
  }

  // Time.

  /**
   * What this leader has reserved above its clock is given back, as another one is to lead soon:
   * until {@link #goOn} it says no more than entries that go anyway allow. Any thread.
   *
   * @return completes when its group knows that
   */
  public CompletableFuture<Long> giveBack() {
    return onLoop(() -> {
      flush();
      reservation.giveBack();
      entries.giveBack();
      return send(new GroupEntry.GivenBack(clock.now()));
    });
  }

  /** This leader leads on, after {@link #giveBack}. Any thread. */
  public void goOn() {
    if (!loop.isShuttingDown()) {
      loop.execute(reservation::goOn);
    }
  }

  private HlcTimestamp time() {
    return reservation.rests() ? entries.nextNotAhead() : entries.next(0);
  }

  /** Somebody waits until H is at or above a clock. */
  private void reserve(long wanted) {
    if (entries.over() || entries.asked() >= wanted) {
      return;
    }
    flush();
    if (entries.asked() < wanted) {
      send(new GroupEntry.Clock(entries.next(wanted), settled));
    }
  }

  /** Half of the time is used, and somebody will need more. */
  private void look() {
    long now = loop.ticker().nanoTime();
    if (reservation.takeAsked()) {
      askedNanos = now;
    }
    if (now - askedNanos < ASKED_NANOS && !reservation.rests()) {
      reserve(clock.nowValue() + LeaderEntries.AHEAD / 2);
    }
  }

  /** Nothing is written or reported any more; the term may go on. Any thread. */
  @Override
  public void close() {
    looks.cancel(false);
    if (loop.inEventLoop()) {
      entries.end();
      ends();
    } else if (!loop.isShuttingDown()) {
      loop.execute(this::close);
    }
  }
}
