package io.alrai.dn.group;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import io.alrai.common.time.HlcTimestamp;
import io.alrai.dn.binlog.BinlogTransaction;
import io.alrai.dn.binlog.GtidSet;
import io.alrai.dn.link.CommitFate;
import io.alrai.dn.raft.GroupEvents;
import io.alrai.dn.ship.LeadNumber;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.LongSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * What a member knows of its group: whether it leads, what is committed, in short, and up to where
 * the group's clock was reserved. Thread-safe.
 */
public final class GroupView implements GroupEvents {
  private static final Logger log = LoggerFactory.getLogger(GroupView.class);
  private static final long NONE = -1;

  /** Told by the view on threads of the log: must not block. */
  public interface Listener {
    /** {@link GroupView#term} has changed. */
    void changed();

    /** The log cannot be written or read any more: this member is of no use. */
    void failed(Throwable reason);
  }

  /**
   * The log up to an entry.
   *
   * @param index of that entry: the last one, or the last before a transaction that has come in
   *     part
   * @param transactions that came up to there since this member's start
   * @param settled those of which no decision needs to be known any more
   * @param settledIndex of the entry that says so; -1 where none does
   */
  public record Progress(long index, GtidSet transactions, GtidSet settled, long settledIndex) {}

  /**
   * The entries that say something to those who follow the log: all but the clock's.
   *
   * @param last the index of the last one; -1 for none
   * @param begun the last lead that has begun
   */
  public record Heard(long last, LeadNumber begun) {}

  private final String name;
  private final Listener listener;
  private final ApplyLag lag;
  private final KnownPlaces places = new KnownPlaces();
  private final ReentrantLock lock = new ReentrantLock();
  private final Condition moved = lock.newCondition();

  @GuardedBy("lock")
  private GtidSet transactions = new GtidSet();

  @GuardedBy("lock")
  private GtidSet settled = new GtidSet();

  @GuardedBy("lock")
  private long settledIndex = NONE;

  /** Where a transaction begins of which not all pieces have come. */
  @GuardedBy("lock")
  private long piecesFrom = NONE;

  @GuardedBy("lock")
  private HlcTimestamp reserved = HlcTimestamp.ZERO;

  @GuardedBy("lock")
  private final LeadCommits commits = new LeadCommits();

  @GuardedBy("lock")
  private long index = NONE;

  @GuardedBy("lock")
  private Heard heard = new Heard(NONE, LeadNumber.ALONE);

  /** In which this member leads; 0 while it does not. */
  private volatile long term;

  private volatile boolean isDropped;

  /**
   * A view of a log that is about to be joined.
   *
   * @param nanoTime as {@link System#nanoTime}
   */
  public GroupView(String name, Listener listener, LongSupplier nanoTime) {
    this.name = name;
    this.lag = new ApplyLag(nanoTime);
    this.listener = listener;
  }

  @Override
  public void committed(long inTerm, long at, ByteBuffer content) {
    GroupEntry entry;
    try {
      entry = EntryCodec.decode(content);
    } catch (RuntimeException unreadable) {
      log.error("{}: entry {} of its group's log cannot be read", name, at, unreadable);
      listener.failed(unreadable);
      return;
    }
    lock.lock();
    try {
      if (entry instanceof GroupEntry.GivenBack || entry.reserved().compareTo(reserved) > 0) {
        reserved = entry.reserved();
      }
      switch (entry) {
        case GroupEntry.Transactions several -> {
          for (GroupEntry.Written one : several.transactions()) {
            BinlogTransaction transaction = one.stamped().transaction();
            transactions.add(transaction.gtid());
            commits.committed(inTerm, transaction.connectionId(), entry.reserved().value());
          }
          lag.committed(at, several.transactions().getLast().stamped().transaction().gtid());
        }
        case GroupEntry.Piece piece -> piece(piece, inTerm, at);
        case GroupEntry.Clock clock -> settled(clock.settled(), at);
        case GroupEntry.Begin begin -> {
          settled(begin.settled(), at);
          commits.begins(inTerm);
          piecesFrom = NONE;
        }
        case GroupEntry.Names names -> {}
        case GroupEntry.Stamps stamps -> {}
        case GroupEntry.GivenBack time -> {}
      }
      if (!(entry instanceof GroupEntry.Clock || entry instanceof GroupEntry.GivenBack)) {
        boolean begins = entry instanceof GroupEntry.Begin;
        heard = new Heard(at, begins ? new LeadNumber(inTerm, at) : heard.begun());
      }
      index = at;
      moved.signalAll();
    } finally {
      lock.unlock();
    }
  }

  @GuardedBy("lock")
  private void piece(GroupEntry.Piece piece, long inTerm, long at) {
    if (piece.offset() == 0) {
      piecesFrom = at;
    }
    // where the first ones were skipped it is not in this log: only another mysqld has it
    if (piece.last().isPresent() && piecesFrom != NONE) {
      transactions.add(piece.gtid());
      long connection = piece.last().get().transaction().connectionId();
      commits.committed(inTerm, connection, piece.reserved().value());
      lag.committed(at, piece.gtid());
      piecesFrom = NONE;
    }
  }

  @GuardedBy("lock")
  private void settled(GtidSet now, long at) {
    settled = now;
    settledIndex = at;
  }

  @Override
  public void skipped(long upTo) {
    lock.lock();
    try {
      transactions = new GtidSet();
      settledIndex = NONE; // the entry that says so is not in this log
      places.forget();
      commits.forget();
      piecesFrom = NONE;
      index = Math.max(index, upTo);
      moved.signalAll();
    } finally {
      lock.unlock();
    }
  }

  @Override
  public void leads(long inTerm) {
    term = inTerm;
    listener.changed();
  }

  @Override
  public void follows() {
    term = 0;
    listener.changed();
  }

  @Override
  public void dropped() {
    isDropped = true;
    term = 0;
    listener.changed();
  }

  @Override
  public void failed(Throwable reason) {
    listener.failed(reason);
  }

  /** In which this member leads; 0 while it does not. */
  public long term() {
    return term;
  }

  /** Remembers what is committed now, for {@link #knownUpTo}: to be called now and then. */
  public void rememberPlace() {
    places.add(progress());
  }

  /** The last entry that whoever has these transactions need not read; -1 where none is known. */
  public long knownUpTo(GtidSet known) {
    return places.upTo(known);
  }

  /** How far the mysqld has come; whoever asks that has to say it here. */
  public ApplyLag lag() {
    return lag;
  }

  /** Whether the group goes on without this member. */
  public boolean isDropped() {
    return isDropped;
  }

  /**
   * The group's clock is reserved up to there by all that is committed, but for what a leader has
   * given back.
   */
  public HlcTimestamp reserved() {
    lock.lock();
    try {
      return reserved;
    } finally {
      lock.unlock();
    }
  }

  /**
   * What became of the last statement that was sent on a connection to a leader's mysqld.
   *
   * @param inTerm in which that one led
   * @param connection its number there
   * @param sent the clock of the CN when it sent it
   */
  public CommitFate fate(long inTerm, long connection, HlcTimestamp sent) {
    lock.lock();
    try {
      return commits.fate(inTerm, connection, sent.value());
    } finally {
      lock.unlock();
    }
  }

  /** What is committed now. */
  public Progress progress() {
    lock.lock();
    try {
      long whole = piecesFrom == NONE ? index : piecesFrom - 1;
      return new Progress(whole, transactions.copy(), settled.copy(), settledIndex);
    } finally {
      lock.unlock();
    }
  }

  /** What it has heard for those who follow the log. */
  public Heard heard() {
    lock.lock();
    try {
      return heard;
    } finally {
      lock.unlock();
    }
  }

  /** Waits until it has heard something else than that. */
  public void awaitOther(Heard than, long nanos) throws InterruptedException {
    long left = nanos;
    lock.lock();
    try {
      while (heard.equals(than) && left > 0) {
        left = moved.awaitNanos(left);
      }
    } finally {
      lock.unlock();
    }
  }

  /**
   * Waits until an entry has come.
   *
   * @return what is committed then; empty when it does not come in time
   */
  public Optional<Progress> awaitEntry(long at, Duration bound) throws InterruptedException {
    long left = bound.toNanos();
    lock.lock();
    try {
      while (index < at) {
        if (left <= 0) {
          return Optional.empty();
        }
        left = moved.awaitNanos(left);
      }
      return Optional.of(progress());
    } finally {
      lock.unlock();
    }
  }
}
