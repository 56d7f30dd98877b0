package io.alrai.dn.group;

import io.alrai.common.error.AlraiException;
import io.alrai.common.time.HlcTimestamp;
import io.alrai.dn.binlog.BinlogException;
import io.alrai.dn.binlog.BinlogTransaction;
import io.alrai.dn.binlog.Gtid;
import io.alrai.dn.binlog.GtidSet;
import io.alrai.dn.binlog.TransactionKind;
import io.alrai.dn.group.GroupEntry.Stamped;
import io.alrai.dn.raft.GroupLog;
import io.alrai.dn.raft.LogCursor;
import io.alrai.dn.raft.LogEntry;
import java.nio.ByteBuffer;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** The transactions in a member's part of its group's log. Thread-safe. */
public final class LogSource implements GroupSource {
  private final GroupLog log;

  public LogSource(GroupLog log) {
    this.log = log;
  }

  @Override
  public GroupReader open(GtidSet known) {
    return new Reader(log, known.copy());
  }

  /** A transaction whose events are held. */
  private record Whole(long index, Stamped stamped, ByteBuffer events) implements Shipped {
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
      piece.accept(events.duplicate());
    }

    @Override
    public BinlogTransaction transaction() {
      return stamped.transaction();
    }
  }

  /**
   * One whose events are read again, piece by piece.
   *
   * @param indexes of the entries that have them
   */
  private record InPieces(GroupLog log, List<Long> indexes, Stamped stamped) implements Shipped {
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
        LogEntry entry =
            log.read(index)
                .orElseThrow(() -> new BinlogException("entry " + index + " is void now"));
        if (EntryCodec.decode(entry.content()) instanceof GroupEntry.Piece part) {
          piece.accept(part.bytes());
        } else {
          throw new BinlogException("entry " + index + " was a piece of " + gtid());
        }
      }
    }

    @Override
    public BinlogTransaction transaction() {
      return stamped.transaction();
    }
  }

  private static final class Reader implements GroupReader {
    private final GroupLog log;
    private final GtidSet known;
    private final LogCursor cursor;
    private final Queue<Shipped> read = new ArrayDeque<>();

    // The transaction in pieces that has begun:
    private final List<Long> pieces = new ArrayList<>();
    private long term;
    private @Nullable Gtid begun;
    private long expected;

    Reader(GroupLog log, GtidSet known) {
      this.log = log;
      this.known = known;
      this.cursor = log.cursor(log.firstKept());
    }

    @Override
    public @Nullable Shipped poll(long millis) throws InterruptedException {
      try {
        Shipped next;
        while ((next = read.poll()) == null) {
          LogEntry entry = cursor.poll(millis);
          if (entry == null) {
            return null;
          }
          take(entry);
        }
        return next;
      } catch (AlraiException e) {
        throw new BinlogException("the group's log cannot be read on", e);
      }
    }

    private void take(LogEntry entry) {
      switch (EntryCodec.decode(entry.content())) {
        case GroupEntry.Transactions several -> {
          for (GroupEntry.Written one : several.transactions()) {
            ship(new Whole(entry.index(), one.stamped(), one.events()));
          }
        }
        case GroupEntry.Piece piece -> piece(entry, piece);
        case GroupEntry.Begin begin -> forget();
        case GroupEntry.Stamps stamps -> {}
        case GroupEntry.Clock clock -> {}
      }
    }

    private void ship(Shipped one) {
      if (!known.contains(one.gtid())) {
        read.add(one);
      }
    }

    private void piece(LogEntry entry, GroupEntry.Piece piece) {
      if (piece.offset() == 0) {
        forget();
        begun = piece.gtid();
        term = entry.term();
      }
      if (!piece.gtid().equals(begun) || piece.offset() != expected || entry.term() != term) {
        forget();
        return;
      }
      pieces.add(entry.index());
      expected += piece.bytes().remaining();
      piece
          .last()
          .ifPresent(stamped -> {
            ship(new InPieces(log, List.copyOf(pieces), stamped));
            forget();
          });
    }

    private void forget() {
      pieces.clear();
      begun = null;
      expected = 0;
    }

    @Override
    public void close() {
      // holds nothing open
    }
  }
}
