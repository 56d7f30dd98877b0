package io.alrai.dn.xa;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import io.alrai.common.error.AlraiException;
import io.alrai.common.error.ErrorCode;
import io.alrai.common.id.DnId;
import io.alrai.common.id.TransactionId;
import io.alrai.common.time.HlcTimestamp;
import io.alrai.dn.binlog.BinlogException;
import io.alrai.dn.binlog.BinlogPosition;
import io.alrai.dn.binlog.BinlogTransaction;
import io.alrai.dn.binlog.DecisionMark;
import io.alrai.dn.binlog.GtidSet;
import io.alrai.dn.binlog.LogReader;
import io.alrai.dn.binlog.TransactionKind;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.locks.LockSupport;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The decisions that the mysqld's log has as {@link DecisionMark}s, until every participant has
 * committed: in memory, filled from the stream, or after a start of the agent by reading the end of
 * the log. What is not forgotten after {@value #SLOW_MILLIS} ms gets a row in alrai.tx_log, so that
 * only the last seconds of the log ever have to be read, and older files may go. Thread-safe.
 */
final class MarkedDecisions implements AutoCloseable {
  private static final Logger log = LoggerFactory.getLogger(MarkedDecisions.class);
  private static final long SLOW_MILLIS = 2_000;
  private static final long READ_AHEAD_BYTES = 1 << 20;
  private static final long POLL_MILLIS = 100;
  private static final long TELL_NANOS = TimeUnit.SECONDS.toNanos(10);

  /** The clocks of nodes differ by less than this. */
  private static final long SKEW_MILLIS = 1_000;

  private final DnId dn;
  private final TxLog txLog;
  private final DecisionLog decided;
  private final LongSupplier nanos;
  private final LongSupplier wallMillis;
  private final Map<TransactionId, Marked> decisions = new ConcurrentHashMap<>();

  /** What is let through and known here. */
  @GuardedBy("this")
  private GtidSet known = new GtidSet();

  /** How many transactions were let through since the start. */
  @GuardedBy("this")
  private long turn;

  /** The file of the mysqld's log that has what was let through last in this life. */
  @GuardedBy("this")
  private String file = "";

  /** The turn of the last candidate. */
  @GuardedBy("this")
  private long offered = -1;

  /** Candidates for the mark, oldest first. */
  @GuardedBy("this")
  private final Deque<Candidate> candidates = new ArrayDeque<>();

  @GuardedBy("this")
  private boolean started;

  /** Not complete while slow ones get their rows and the mark is moved. */
  @GuardedBy("this")
  private CompletableFuture<Void> settling = CompletableFuture.completedFuture(null);

  private volatile String needed = "";

  /** Complete when all that was decided before this life of the mysqld is known. */
  private volatile CompletableFuture<Void> complete = new CompletableFuture<>();

  /** The threads that read the log of before: one whose life has ended may still be at it. */
  @GuardedBy("this")
  private final List<Thread> readers = new ArrayList<>();

  private volatile boolean closed;

  /**
   * Nonzero when a part of the log is gone that nobody has read: it may have had decisions of
   * coordinators that began before this time.
   */
  private volatile long missingBefore;

  /**
   * A decision in the log.
   *
   * @param turn when it was let through; 0 as long as a mysqld that dies loses it
   */
  private record Marked(HlcTimestamp commitTs, List<DnId> participants, long turn) {}

  private record Candidate(GtidSet known, long turn, String file, long atNanos) {}

  /**
   * No decision is known yet.
   *
   * @param decided the log
   * @param nanos the agent's monotonic clock
   * @param wallMillis the time by this DN's clock, milliseconds since 1970
   */
  MarkedDecisions(
      DnId dn, TxLog txLog, DecisionLog decided, LongSupplier nanos, LongSupplier wallMillis) {
    this.dn = dn;
    this.txLog = txLog;
    this.decided = decided;
    this.nanos = nanos;
    this.wallMillis = wallMillis;
  }

  // What the stream reports, on its loop.

  /** See {@link io.alrai.dn.gate.live.GateWork#lifeBegins}. */
  void lifeBegins(GtidSet visible, BinlogPosition start) {
    CompletableFuture<Void> before;
    CompletableFuture<Void> reading = new CompletableFuture<>();
    synchronized (this) {
      if (closed) {
        return; // all questions have their answer
      }
      decisions.values().removeIf(one -> one.turn == 0);
      if (!started) {
        started = true;
        known = readMark(visible);
      }
      before = complete;
      complete = reading;
      file = start.file();
      if (known.containsAll(visible)) {
        reading.complete(null);
      } else {
        read(known.copy(), visible, reading);
      }
    }
    reading.whenComplete((done, error) -> {
      if (error == null) {
        before.complete(null);
      } else {
        before.completeExceptionally(error);
      }
    });
  }

  @GuardedBy("this")
  private void read(GtidSet from, GtidSet visible, CompletableFuture<Void> reading) {
    readers.removeIf(reader -> !reader.isAlive());
    readers.add(
        Thread.ofVirtual().name("decided-" + dn).start(() -> readLog(from, visible, reading)));
  }

  /** A mark that covers more than the log has belongs to another log, perhaps a restored one. */
  private GtidSet readMark(GtidSet visible) {
    try {
      GtidSet settled = decided.settled();
      return visible.containsAll(settled) ? settled : new GtidSet();
    } catch (IOException e) {
      log.warn("{}: the mark of settled transactions cannot be read: all of the log is", dn, e);
      return new GtidSet();
    }
  }

  /** See {@link io.alrai.dn.gate.live.GateWork#logged}. */
  void logged(BinlogTransaction transaction) {
    if (transaction.kind() instanceof TransactionKind.Decision decision
        && !decision.marked().isEmpty()) {
      decisions.put(decision.id(), new Marked(decision.commitTs(), decision.marked(), 0));
    }
  }

  /** See {@link io.alrai.dn.gate.live.GateWork#letThrough}. */
  synchronized void letThrough(BinlogTransaction transaction) {
    file = transaction.end().file();
    known(transaction);
  }

  @GuardedBy("this")
  private void known(BinlogTransaction transaction) {
    known.add(transaction.gtid());
    turn++;
    if (transaction.kind() instanceof TransactionKind.Decision decision) {
      decisions.computeIfPresent(
          decision.id(), (id, one) -> new Marked(one.commitTs, one.participants, turn));
    }
  }

  // The log of before.

  private void readLog(GtidSet from, GtidSet visible, CompletableFuture<Void> reading) {
    long toldNanos = nanos.getAsLong();
    while (!closed && complete == reading) {
      try {
        GtidSet purged = decided.ofMysqld() ? txLog.purged().join() : new GtidSet();
        noteMissing(from, purged);
        if (readLog(from, purged, visible, reading)) {
          reading.complete(null);
          return;
        }
      } catch (BinlogException | CompletionException e) {
        if (nanos.getAsLong() - toldNanos > TELL_NANOS) {
          toldNanos = nanos.getAsLong();
          log.warn("{}: no outcome is told, as its log cannot be read: {}", dn, e.toString());
        }
        LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(POLL_MILLIS));
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
        return;
      }
    }
  }

  /** Whether all that is visible was read. */
  private boolean readLog(
      GtidSet from, GtidSet purged, GtidSet visible, CompletableFuture<Void> reading)
      throws InterruptedException {
    GtidSet covered = GtidSet.parse(from + "," + purged);
    GtidSet read = from.copy();
    try (LogReader reader = decided.open(covered.copy(), READ_AHEAD_BYTES)) {
      while (!covered.containsAll(visible) && !closed && complete == reading) {
        reader
            .poll(POLL_MILLIS)
            .ifPresent(transaction -> {
              if (visible.contains(transaction.gtid())) {
                readBack(transaction);
              }
              covered.add(transaction.gtid());
              read.add(transaction.gtid());
            });
      }
    }
    boolean all = covered.containsAll(visible);
    if (all) {
      synchronized (this) {
        // not what is missing: the mark goes on to tell the next agent of that
        known = GtidSet.parse(known + "," + read);
      }
    }
    return all;
  }

  /** Only what the mark covers may leave the log: it tells no more about decisions. */
  private void noteMissing(GtidSet from, GtidSet purged) {
    if (missingBefore == 0 && !from.containsAll(purged)) {
      missingBefore = wallMillis.getAsLong() + SKEW_MILLIS;
      log.error(
          "{}: files of its log were deleted past Alrai: gtid_purged {} is not in the mark {}."
              + " Transactions of CNs that have begun before now stay in doubt where no decision is"
              + " found",
          dn,
          purged,
          from);
    }
  }

  /**
   * Whether a decision about a transaction that is not known here may have been in a part of the
   * log that is gone. Only where {@link #find} has answered.
   */
  boolean mayHaveLost(TransactionId id) {
    return id.epoch() < missingBefore;
  }

  /** Takes effect at once: a life that begins meanwhile takes what is not let through for lost. */
  private synchronized void readBack(BinlogTransaction transaction) {
    logged(transaction);
    known(transaction);
  }

  // Questions.

  /** Whether the log has the decision, which may still be lost with the mysqld. */
  boolean logged(TransactionId id) {
    return decisions.containsKey(id);
  }

  /**
   * The commit timestamp of what is decided for good and has no row yet. Completes when all that
   * was decided before the mysqld's start is known; fails when the agent stops.
   */
  CompletableFuture<Optional<HlcTimestamp>> find(TransactionId id) {
    return complete.thenApply(done ->
        Optional.ofNullable(decisions.get(id)).filter(one -> one.turn > 0).map(Marked::commitTs));
  }

  /**
   * Every participant has committed.
   *
   * @return whether nothing else is to be done; false where a row may have to be deleted
   */
  boolean forget(TransactionId id) {
    return decisions.remove(id) != null;
  }

  // Rows for what takes long.

  /**
   * To be called every half second: gives slow ones their rows, then moves the mark.
   *
   * @return those that were forgotten while their rows were written
   */
  CompletableFuture<List<TransactionId>> settle() {
    Candidate candidate = due();
    return candidate == null ? CompletableFuture.completedFuture(List.of()) : settle(candidate);
  }

  /**
   * As {@link #settle()}, for all decisions that there are, as soon as those of before are known:
   * the log is not needed any more for any of them. Nobody decides meanwhile.
   */
  CompletableFuture<List<TransactionId>> settleAll() {
    return complete
        .thenCompose(known -> settling())
        .thenCompose(idle -> {
          Candidate all = all();
          return all == null ? settleAll() : settle(all);
        });
  }

  private synchronized @Nullable Candidate all() {
    if (closed) {
      throw new AlraiException(ErrorCode.ER_SERVER_SHUTDOWN, "the agent is stopping");
    }
    if (!settling.isDone()) {
      return null;
    }
    settling = new CompletableFuture<>();
    candidates.clear();
    return new Candidate(known.copy(), turn, file, nanos.getAsLong());
  }

  /** Whether no decision is in the log alone. */
  boolean allSettled() {
    return decisions.isEmpty();
  }

  private CompletableFuture<List<TransactionId>> settle(Candidate candidate) {
    Map<TransactionId, TxLog.Decided> slow = new HashMap<>();
    decisions.forEach((id, one) -> {
      if (one.turn > 0 && one.turn <= candidate.turn) {
        slow.put(id, new TxLog.Decided(id, one.commitTs, one.participants));
      }
    });
    CompletableFuture<?> written =
        slow.isEmpty() ? CompletableFuture.completedFuture(null) : txLog.copy(slow.values());
    return written
        .thenApply(done -> {
          List<TransactionId> forgotten = new ArrayList<>(slow.keySet());
          forgotten.removeIf(this::forget);
          return forgotten;
        })
        .thenCompose(forgotten -> moveTo(candidate).thenApply(done -> forgotten))
        .whenComplete((done, error) -> settling().complete(null));
  }

  private synchronized List<Thread> reading() {
    return List.copyOf(readers);
  }

  private synchronized CompletableFuture<Void> settling() {
    return settling;
  }

  private synchronized @Nullable Candidate due() {
    if (closed || !settling.isDone() || !complete.isDone() || complete.isCompletedExceptionally()) {
      return null;
    }
    long now = nanos.getAsLong();
    if (offered < turn) {
      offered = turn;
      candidates.add(new Candidate(known.copy(), turn, file, now));
    }
    Candidate due = null;
    Candidate first;
    while ((first = candidates.peek()) != null
        && now - first.atNanos >= TimeUnit.MILLISECONDS.toNanos(SLOW_MILLIS)) {
      due = candidates.remove();
    }
    if (due != null) {
      settling = new CompletableFuture<>();
    }
    return due;
  }

  private CompletableFuture<Void> moveTo(Candidate candidate) {
    return decided
        .settle(candidate.known)
        .handle((written, error) -> {
          if (error == null) {
            needed = candidate.file;
          } else {
            log.warn("{}: the mark of settled transactions cannot be written", dn, error);
          }
          return null;
        });
  }

  /** The first file of the log that may be needed; empty where that is not known yet. */
  String neededFile() {
    return needed;
  }

  /** Questions are answered with the error that the agent stops. */
  @Override
  public void close() {
    synchronized (this) {
      closed = true; // what is to settle has begun by now, or does not
    }
    complete.completeExceptionally(
        new AlraiException(ErrorCode.ER_SERVER_SHUTDOWN, "the agent is stopping"));
  }

  /**
   * After {@link #close}, and when the mysqld is out of reach: returns when nothing is read or
   * written any more, or in time. The next leader writes the same file.
   */
  void awaitEnd(Duration bound) {
    long endNanos = nanos.getAsLong() + bound.toNanos();
    try {
      for (Thread reading : reading()) {
        if (!reading.join(Duration.ofNanos(endNanos - nanos.getAsLong()))) {
          log.warn("{}: the reading of its log does not end", dn);
        }
      }
      settling().get(endNanos - nanos.getAsLong(), TimeUnit.NANOSECONDS);
    } catch (ExecutionException | TimeoutException e) {
      log.warn("{}: the writing of the mark of settled transactions does not end", dn);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
