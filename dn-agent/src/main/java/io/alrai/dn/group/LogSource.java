package io.alrai.dn.group;

import io.alrai.common.error.AlraiException;
import io.alrai.common.time.HlcTimestamp;
import io.alrai.dn.binlog.BinlogException;
import io.alrai.dn.binlog.BinlogTransaction;
import io.alrai.dn.binlog.EventBytes;
import io.alrai.dn.binlog.Gtid;
import io.alrai.dn.binlog.GtidSet;
import io.alrai.dn.binlog.TableName;
import io.alrai.dn.binlog.TransactionKind;
import io.alrai.dn.gate.live.CommitLog.Restamp;
import io.alrai.dn.group.GroupEntry.Stamped;
import io.alrai.dn.raft.GroupLog;
import io.alrai.dn.raft.LogCursor;
import io.alrai.dn.raft.LogEntry;
import java.nio.ByteBuffer;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Queue;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.LongFunction;
import java.util.function.LongSupplier;
import java.util.function.ToLongFunction;
import org.jspecify.annotations.Nullable;

/** The transactions in a member's part of its group's log. Thread-safe. */
public final class LogSource implements GroupSource {
  private final Function<GtidSet, Entries> begins;
  private final LongFunction<Optional<LogEntry>> read;
  private final LongSupplier nanoTime;

  /** In order, from the oldest that is kept. */
  interface Entries {
    /** As {@link LogCursor#poll}. */
    @Nullable LogEntry poll(long millis) throws InterruptedException;

    /** All up to that one have been read, or need not be. */
    default long passed() {
      return -1;
    }
  }

  private record Cursor(LogCursor cursor) implements Entries {
    @Override
    public @Nullable LogEntry poll(long millis) throws InterruptedException {
      return cursor.poll(millis);
    }

    @Override
    public long passed() {
      return cursor.next() - 1;
    }
  }

  /**
   * A source over a member's log.
   *
   * @param knownUpTo the last entry that whoever has some transactions need not read
   * @param nanoTime as {@link System#nanoTime}
   */
  public LogSource(GroupLog log, ToLongFunction<GtidSet> knownUpTo, LongSupplier nanoTime) {
    this(
        known ->
            new Cursor(log.cursor(Math.max(log.firstKept(), knownUpTo.applyAsLong(known) + 1))),
        log::read,
        nanoTime);
  }

  /**
   * A source over any log.
   *
   * @param begins opens a cursor for whoever has some transactions
   * @param read an entry once more
   */
  LogSource(
      Function<GtidSet, Entries> begins,
      LongFunction<Optional<LogEntry>> read,
      LongSupplier nanoTime) {
    this.begins = begins;
    this.read = read;
    this.nanoTime = nanoTime;
  }

  @Override
  public GroupReader open(GtidSet known) {
    return new Reader(begins.apply(known), read, nanoTime, known.copy());
  }

  @Override
  public Look look(GtidSet known) {
    return new Ahead(new Reader(begins.apply(known), read, nanoTime, known.copy()), known.copy());
  }

  /** Reads entries and keeps names and stamps only. */
  private static final class Ahead implements Look {
    private final Reader reader;
    private final GtidSet before;
    private final Map<Gtid, HlcTimestamp> stamps = new HashMap<>();
    private long last = -1;

    Ahead(Reader reader, GtidSet before) {
      this.reader = reader;
      this.before = before;
    }

    @Override
    public void toEnd() throws InterruptedException {
      while (step(0)) {}
    }

    @Override
    public boolean to(long index, long millis) throws InterruptedException {
      while (passed() < index) {
        if (!step(millis)) {
          return passed() >= index;
        }
      }
      return true;
    }

    private long passed() {
      return Math.max(last, reader.passed());
    }

    private boolean step(long millis) throws InterruptedException {
      try {
        LogEntry entry = reader.entries.poll(millis);
        if (entry == null) {
          return false;
        }
        last = entry.index();
        if (EntryCodec.decode(entry.content()) instanceof GroupEntry.Stamps several) {
          for (Restamp one : several.stamps()) {
            if (!before.contains(one.gtid())) {
              stamps.put(one.gtid(), one.stamp());
            }
          }
        } else {
          reader.take(entry);
          reader.next.clear();
        }
        return true;
      } catch (AlraiException e) {
        throw new BinlogException("the group's log cannot be read", e);
      }
    }

    @Override
    public GtidSet found() {
      return reader.known;
    }

    @Override
    public Optional<HlcTimestamp> restamped(Gtid gtid) {
      return Optional.ofNullable(stamps.remove(gtid));
    }
  }

  /** A transaction whose events are held. */
  private record Whole(long index, Stamped stamped, ByteBuffer events) implements Shipped {
    @Override
    public Gtid gtid() {
      return stamped.transaction().gtid();
    }

    @Override
    public TransactionKind kind() {
      return stamped.transaction().kind();
    }

    @Override
    public HlcTimestamp stamp() {
      return stamped.stamp();
    }

    @Override
    public long length() {
      return events.remaining();
    }

    @Override
    public void forEachPiece(Consumer<ByteBuffer> piece) {
      piece.accept(events.duplicate());
    }

    @Override
    public BinlogTransaction transaction() {
      byte[] bytes = new byte[events.remaining()];
      events.duplicate().get(bytes);
      return stamped.transaction().with(new EventBytes(bytes));
    }
  }

  /**
   * One whose events are read again, piece by piece.
   *
   * @param indexes of the entries that have them
   */
  private record InPieces(
      LongFunction<Optional<LogEntry>> read, List<Long> indexes, Stamped stamped)
      implements Shipped {
    @Override
    public long index() {
      return indexes.getLast();
    }

    @Override
    public Gtid gtid() {
      return transaction().gtid();
    }

    @Override
    public TransactionKind kind() {
      return transaction().kind();
    }

    @Override
    public HlcTimestamp stamp() {
      return stamped.stamp();
    }

    @Override
    public long length() {
      return transaction().length();
    }

    @Override
    public void forEachPiece(Consumer<ByteBuffer> piece) {
      for (long index : indexes) {
        piece.accept(part(index).bytes());
      }
    }

    private GroupEntry.Piece part(long index) {
      Optional<LogEntry> entry;
      try {
        entry = read.apply(index);
      } catch (AlraiException gone) {
        throw new BinlogException("the events of " + gtid() + " cannot be read any more", gone);
      }
      if (entry.isPresent()
          && EntryCodec.decode(entry.get().content()) instanceof GroupEntry.Piece part) {
        return part;
      }
      throw new BinlogException("entry " + index + " is no piece of " + gtid());
    }

    @Override
    public BinlogTransaction transaction() {
      return stamped.transaction();
    }
  }

  private static final class Reader implements GroupReader {
    /** Entries without anything new that one call looks at in no time. */
    private static final int MOST_PASSED = 256;

    /** Or for so long, where the disk is slow: the replica must hear something every second. */
    private static final long MOST_LATE_MILLIS = 100;

    private final Entries entries;
    private final LongFunction<Optional<LogEntry>> read;
    private final LongSupplier nanoTime;
    private final Queue<Shipped> next = new ArrayDeque<>();

    /** What was known before, and what was read. */
    private final GtidSet known;

    // The transaction in pieces that has begun:
    private final List<Long> pieces = new ArrayList<>();
    private final List<TableName> names = new ArrayList<>();
    private long term;
    private @Nullable Gtid begun;
    private long expected;

    Reader(
        Entries entries,
        LongFunction<Optional<LogEntry>> read,
        LongSupplier nanoTime,
        GtidSet known) {
      this.entries = entries;
      this.read = read;
      this.nanoTime = nanoTime;
      this.known = known;
    }

    @Override
    public @Nullable Shipped poll(long millis) throws InterruptedException {
      // entries without a transaction come all the time and must not put off its end
      long end = nanoTime.getAsLong() + TimeUnit.MILLISECONDS.toNanos(millis);
      long left = millis;
      int passed = 0;
      try {
        Shipped found;
        while ((found = next.poll()) == null) {
          if (left <= 0 && (passed >= MOST_PASSED || left <= -MOST_LATE_MILLIS)) {
            return null; // nor must a long log of what is known
          }
          passed++;
          LogEntry entry = entries.poll(Math.max(0, left));
          if (entry == null) {
            return null;
          }
          take(entry);
          left = TimeUnit.NANOSECONDS.toMillis(end - nanoTime.getAsLong());
        }
        return found;
      } catch (AlraiException e) {
        throw new BinlogException("the group's log cannot be read on", e);
      }
    }

    @Override
    public long passed() {
      return entries.passed();
    }

    @Override
    public long spent() {
      return pieces.isEmpty() ? passed() : pieces.getFirst() - 1;
    }

    private void take(LogEntry entry) {
      switch (EntryCodec.decode(entry.content())) {
        case GroupEntry.Transactions several -> {
          for (GroupEntry.Written one : several.transactions()) {
            ship(new Whole(entry.index(), one.stamped(), one.events()));
          }
        }
        case GroupEntry.Piece piece -> piece(entry, piece);
        case GroupEntry.Begin begin -> {
          forget();
          check(entry, begin.settled());
        }
        case GroupEntry.Clock clock -> check(entry, clock.settled());
        case GroupEntry.Names more -> {
          if (more.gtid().equals(begun)) {
            names.addAll(more.tables());
          }
        }
        case GroupEntry.Stamps stamps -> {}
        case GroupEntry.GivenBack time -> {}
      }
    }

    /** One that its leader wrote twice, as its first entry was uncertain, comes once. */
    private void ship(Shipped one) {
      if (!known.contains(one.gtid())) {
        known.add(one.gtid());
        next.add(one);
      }
    }

    /** What was settled before an entry comes before it; only what is settled leaves the log. */
    private void check(LogEntry at, GtidSet settled) {
      if (!known.containsAll(settled)) {
        throw BinlogException.gone(
            "transactions that are wanted are not in the group's log any more: by entry "
                + at.index()
                + " there should have been "
                + settled
                + ", and there were "
                + known);
      }
    }

    private void piece(LogEntry entry, GroupEntry.Piece piece) {
      if (piece.offset() == 0) {
        forget();
        begun = piece.gtid();
        term = entry.term();
      }
      boolean follows =
          piece.gtid().equals(begun) && piece.offset() == expected && entry.term() == term;
      if (follows) {
        pieces.add(entry.index());
        expected += piece.bytes().remaining();
      } else {
        forget();
      }
      piece.last().ifPresent(stamped -> last(entry, piece, stamped));
    }

    private void last(LogEntry entry, GroupEntry.Piece piece, Stamped stamped) {
      if (expected == piece.total()) {
        ship(new InPieces(read, List.copyOf(pieces), withNames(stamped)));
      } else if (!known.contains(piece.gtid())) {
        throw BinlogException.gone(
            "entry " + entry.index() + " ends " + piece.gtid() + ", whose first events are gone");
      }
      forget();
    }

    private Stamped withNames(Stamped last) {
      if (names.isEmpty()) {
        return last;
      }
      names.addAll(last.transaction().tables());
      return new Stamped(last.transaction().with(List.copyOf(names)), last.stamp());
    }

    private void forget() {
      pieces.clear();
      names.clear();
      begun = null;
      expected = 0;
    }

    @Override
    public void close() {
      // holds nothing open
    }
  }
}
