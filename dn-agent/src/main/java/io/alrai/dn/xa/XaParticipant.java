package io.alrai.dn.xa;

import io.alrai.common.error.AlraiException;
import io.alrai.common.error.ErrorCode;
import io.alrai.common.id.DnId;
import io.alrai.common.id.TransactionId;
import io.alrai.common.time.HlcTimestamp;
import io.alrai.dn.backend.Answer;
import io.alrai.dn.clock.NodeClock;
import io.alrai.dn.link.Branch;
import io.alrai.dn.link.CommitParticipant;
import io.alrai.dn.link.DnLink;
import io.alrai.dn.link.PushAnswer;
import io.netty.channel.EventLoop;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.Future;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import java.util.stream.Collectors;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The agent's part in commits, in front of a mysqld that it reaches itself. Thread-safe; {@link
 * #prepare}, {@link #preCommit} and {@link #decide} belong on the branch's event loop. Futures
 * complete on event loops. A branch whose prepare or decision failed must be closed by its holder.
 *
 * <p>A branch that changed nothing must not be prepared: mysqld drops its locks at XA PREPARE.
 */
public final class XaParticipant implements CommitParticipant, AutoCloseable {
  private static final int ER_XAER_NOTA = 1397;
  private static final int FORGOTTEN_AT_ONCE = 500;
  private static final long FORGET_MILLIS = 500;
  private static final Logger log = LoggerFactory.getLogger(XaParticipant.class);

  private final DnId dn;
  private final NodeClock clock;
  private final XaTimes times;
  private final LongSupplier nanos;
  private final List<EventLoop> loops;
  private final OwnConnections connections;
  private final TxLog txLog;
  private final PrimaryBranches primaries = new PrimaryBranches();
  private final PreparedSet prepared = new PreparedSet();
  private final Queue<TransactionId> forgotten = new ConcurrentLinkedQueue<>();
  private final Future<?> forgetting;
  private volatile boolean closed;

  /**
   * A participant.
   *
   * @param link where it takes its own few connections from
   * @param loops the event loops it may use
   */
  public XaParticipant(DnLink link, List<EventLoop> loops, NodeClock clock, XaTimes times) {
    this(link, loops, clock, times, System::nanoTime);
  }

  XaParticipant(
      DnLink link, List<EventLoop> loops, NodeClock clock, XaTimes times, LongSupplier nanos) {
    this.dn = link.dn();
    this.clock = clock;
    this.times = times;
    this.nanos = nanos;
    this.loops = List.copyOf(loops);
    this.connections = new OwnConnections(link, this.loops);
    this.txLog = new TxLog(connections);
    this.forgetting =
        this.loops
            .getFirst()
            .scheduleWithFixedDelay(
                this::deleteForgotten, FORGET_MILLIS, FORGET_MILLIS, TimeUnit.MILLISECONDS);
  }

  /** The DN it belongs to. */
  public DnId dn() {
    return dn;
  }

  /** The branches here whose outcome is not known here. */
  public PreparedSet preparedSet() {
    return prepared;
  }

  @Override
  public CompletableFuture<HlcTimestamp> prepare(Branch branch, TransactionId id) {
    String name = XaName.literal(id, dn);
    // entered before it is sent: when the answer is lost, the resolver looks for it
    prepared.add(id, nanos.getAsLong());
    CompletableFuture<HlcTimestamp> done = new CompletableFuture<>();
    Answer.of(branch, "XA END " + name + ";XA PREPARE " + name)
        .whenComplete((answer, error) -> {
          if (error == null) {
            HlcTimestamp ts = clock.advance();
            prepared.prepared(id, ts, nanos.getAsLong());
            done.complete(ts);
            return;
          }
          Answer.Failed failed = TxLog.failed(error);
          if (failed.fromServer()) {
            prepared.remove(id);
          }
          done.completeExceptionally(failed.reason());
        });
    return done;
  }

  @Override
  public CompletableFuture<HlcTimestamp> preCommit(Branch branch, TransactionId id) {
    HlcTimestamp ts = clock.advance();
    primaries.register(id, branch, ts, nanos.getAsLong());
    return CompletableFuture.completedFuture(ts);
  }

  @Override
  public CompletableFuture<HlcTimestamp> decide(
      Branch branch, TransactionId id, HlcTimestamp proposed, List<DnId> participants) {
    HlcTimestamp commitTs;
    String text;
    try {
      clock.update(proposed);
      HlcTimestamp lowerBound =
          primaries.beginDecide(id, branch).orElseThrow(() -> abortedByRecovery(id));
      commitTs = proposed.compareTo(lowerBound) > 0 ? proposed : lowerBound;
      text = TxLog.decide(id, commitTs, participants);
    } catch (AlraiException refused) {
      primaries.remove(id);
      return rollback(branch, refused);
    }
    long sentNanos = nanos.getAsLong();
    CompletableFuture<HlcTimestamp> done = new CompletableFuture<>();
    Answer.of(branch, text)
        .whenComplete((answer, error) -> {
          if (error == null) {
            primaries.remove(id);
            done.complete(commitTs);
            return;
          }
          Answer.Failed failed = TxLog.failed(error);
          if (failed.fromServer() && failed.succeeded() == 0) {
            // the row was refused, so COMMIT did not run
            primaries.remove(id);
            copy(rollback(branch, whyNoRow(failed, id)), done);
            return;
          }
          branch.close();
          settleDecision(id, sentNanos, failed.reason(), done);
        });
    return done;
  }

  private static AlraiException whyNoRow(Answer.Failed failed, TransactionId id) {
    return failed.is(ErrorCode.ER_DUP_ENTRY.errno()) ? abortedByRecovery(id) : failed.reason();
  }

  private static AlraiException abortedByRecovery(TransactionId id) {
    return new AlraiException(
        ErrorCode.ER_LOCK_DEADLOCK,
        "transaction "
            + id.gtrid()
            + " was rolled back, because its commit took too long; try restarting transaction");
  }

  /** Rolls the open primary branch back, then fails with the reason. */
  private static CompletableFuture<HlcTimestamp> rollback(Branch branch, AlraiException reason) {
    CompletableFuture<HlcTimestamp> done = new CompletableFuture<>();
    Answer.of(branch, "ROLLBACK AND NO CHAIN NO RELEASE")
        .whenComplete((answer, error) -> {
          if (error != null) {
            branch.close();
          }
          done.completeExceptionally(reason);
        });
    return done;
  }

  /**
   * The decision was sent and its answer is lost. The tombstone's INSERT waits for whatever the
   * mysqld still does with the row, so that the log gives the true outcome.
   */
  private void settleDecision(
      TransactionId id, long sentNanos, AlraiException lost, CompletableFuture<HlcTimestamp> done) {
    txLog
        .settle(id)
        .whenComplete((outcome, error) -> {
          if (error == null && outcome instanceof Outcome.Committed committed) {
            primaries.remove(id);
            done.complete(committed.commitTs());
          } else if (error == null
              && outcome instanceof Outcome.RolledBack
              && nanos.getAsLong() - sentNanos < times.sweepAge().toNanos()) {
            primaries.remove(id);
            done.completeExceptionally(
                new AlraiException(
                    ErrorCode.ER_LOCK_DEADLOCK,
                    "the connection broke during COMMIT and the transaction was rolled back;"
                        + " try restarting transaction",
                    lost));
          } else if (closed || nanos.getAsLong() - sentNanos > times.settle().toNanos()) {
            primaries.remove(id);
            done.completeExceptionally(
                new AlraiException(
                    ErrorCode.ALRAI_COMMIT_IN_DOUBT,
                    "the outcome of transaction "
                        + id.gtrid()
                        + " is not known, because "
                        + dn
                        + " is down: it is decided when "
                        + dn
                        + " is back",
                    lost));
          } else {
            later(() -> settleDecision(id, sentNanos, lost, done), done);
          }
        });
  }

  @Override
  public CompletableFuture<Void> commitPrepared(TransactionId id, HlcTimestamp commitTs) {
    try {
      clock.update(commitTs);
    } catch (AlraiException skew) {
      // it is decided: refusing would only leave it prepared
      log.warn("committing {} at {} in spite of this: {}", id.gtrid(), commitTs, skew.sentence());
      clock.restoreAbove(commitTs);
    }
    CompletableFuture<Void> done = new CompletableFuture<>();
    finish("XA COMMIT ", id, done);
    return done;
  }

  @Override
  public CompletableFuture<Void> rollbackPrepared(TransactionId id) {
    if (id.primary().equals(dn)) {
      // its branch is no XA branch: the coordinator rolls it back itself
      primaries.remove(id);
      return CompletableFuture.completedFuture(null);
    }
    CompletableFuture<Void> done = new CompletableFuture<>();
    finish("XA ROLLBACK ", id, done);
    return done;
  }

  private void finish(String verb, TransactionId id, CompletableFuture<Void> done) {
    connections
        .run(verb + XaName.literal(id, dn))
        .whenComplete((answer, error) -> {
          Answer.Failed failed = error == null ? null : TxLog.failed(error);
          if (failed == null || failed.is(ER_XAER_NOTA)) {
            prepared.remove(id);
            done.complete(null);
          } else if (closed) {
            done.completeExceptionally(failed.reason());
          } else {
            log.debug("{}{}: {}; trying again", verb, id.gtrid(), failed.reason().sentence());
            later(() -> finish(verb, id, done), done);
          }
        });
  }

  @Override
  public void forget(TransactionId id) {
    forgotten.add(id);
  }

  private void deleteForgotten() {
    while (!forgotten.isEmpty()) {
      List<TransactionId> batch = new ArrayList<>();
      TransactionId next;
      while (batch.size() < FORGOTTEN_AT_ONCE && (next = forgotten.poll()) != null) {
        batch.add(next);
      }
      delete(batch)
          .whenComplete((done, error) -> {
            if (error != null) {
              log.debug("tx_log rows are left to the sweep: {}", String.valueOf(error));
            }
          });
    }
  }

  @Override
  public CompletableFuture<Outcome> outcome(TransactionId id) {
    if (!id.primary().equals(dn)) {
      return CompletableFuture.failedFuture(
          new AlraiException(
              ErrorCode.ALRAI_INTERNAL,
              dn + " was asked about " + id.gtrid() + ", which is decided by " + id.primary()));
    }
    if (primaries.atWork(id, nanos.getAsLong(), times.silence().toNanos())) {
      return CompletableFuture.completedFuture(new Outcome.InDoubt());
    }
    return unwrapped(txLog.settle(id));
  }

  @Override
  public CompletableFuture<PushAnswer> push(
      TransactionId id, HlcTimestamp prepareTs, HlcTimestamp above) {
    return CompletableFuture.failedFuture(
        new AlraiException(ErrorCode.ER_NOT_SUPPORTED_YET, "push of " + id.gtrid()));
  }

  @Override
  public CompletableFuture<Boolean> holdsPrepared(TransactionId id) {
    return recover().thenApply(listed -> listed.contains(id));
  }

  /** The prepared branches of Alrai that the mysqld lists now. */
  CompletableFuture<Set<TransactionId>> recover() {
    CompletableFuture<Set<TransactionId>> listed =
        connections
            .run("XA RECOVER CONVERT XID")
            .thenApply(answer ->
                answer.rows().stream()
                    .flatMap(row ->
                        XaName.recovered(
                            Integer.parseInt(row.get(0)),
                            Integer.parseInt(row.get(1)),
                            Integer.parseInt(row.get(2)),
                            row.get(3),
                            dn)
                            .stream())
                    .collect(Collectors.toUnmodifiableSet()));
    return unwrapped(listed);
  }

  /** How often a connection was opened; it grows when the mysqld was away. */
  int connectionsOpened() {
    return connections.opened();
  }

  CompletableFuture<List<TxLog.Decided>> decidedBefore(long millis) {
    return unwrapped(txLog.decidedBefore(millis));
  }

  CompletableFuture<Answer> deleteTombstones() {
    return unwrapped(txLog.deleteTombstones(times.tombstoneAge().toSeconds()));
  }

  CompletableFuture<Answer> delete(List<TransactionId> ids) {
    return unwrapped(txLog.delete(ids));
  }

  /** UNDECIDED ones that nobody decides go. */
  void removeStalePrimaries() {
    primaries.removeStale(nanos.getAsLong(), times.sweepAge().toNanos());
  }

  /** The wall time, by this DN's clock. */
  long nowMillis() {
    return clock.now().millis();
  }

  private void later(Runnable attempt, CompletableFuture<?> done) {
    try {
      loops.getFirst().schedule(attempt, times.retry().toMillis(), TimeUnit.MILLISECONDS);
    } catch (RejectedExecutionException stopping) {
      done.completeExceptionally(
          new AlraiException(ErrorCode.ER_SERVER_SHUTDOWN, "the agent is stopping", stopping));
    }
  }

  /** The same with an {@link AlraiException} as its failure. */
  private static <T> CompletableFuture<T> unwrapped(CompletableFuture<T> from) {
    return from.exceptionallyCompose(
        error -> CompletableFuture.failedFuture(TxLog.failed(error).reason()));
  }

  private static <T> void copy(CompletableFuture<T> from, CompletableFuture<T> to) {
    from.whenComplete((value, error) -> {
      if (error == null) {
        to.complete(value);
      } else {
        to.completeExceptionally(error);
      }
    });
  }

  /** Ends its connections; what is under way fails. */
  @Override
  public void close() {
    closed = true;
    forgetting.cancel(false);
    connections.close();
  }
}
