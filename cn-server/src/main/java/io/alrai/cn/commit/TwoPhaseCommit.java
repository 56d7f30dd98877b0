package io.alrai.cn.commit;

import static java.util.concurrent.TimeUnit.MILLISECONDS;

import io.alrai.cn.snapshot.SessionReads;
import io.alrai.cn.snapshot.TransactionCounts;
import io.alrai.cn.snapshot.TransactionSource;
import io.alrai.common.error.AlraiException;
import io.alrai.common.error.ErrorCode;
import io.alrai.common.id.DnId;
import io.alrai.common.id.TransactionId;
import io.alrai.common.time.HlcTimestamp;
import io.alrai.dn.link.Branch;
import io.alrai.dn.link.CommitParticipant;
import io.alrai.dn.link.CommitParticipant.Finishing;
import io.netty.channel.EventLoop;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.LongAdder;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The commit of a transaction that wrote on several DNs, in the order of {@link CommitPhase}: all
 * but the primary's branch are XA branches, which are prepared; the primary's is a plain one, whose
 * local commit is the decision; then the others commit. Event loop of the primary's branch only.
 */
public final class TwoPhaseCommit {
  private static final Logger log = LoggerFactory.getLogger(TwoPhaseCommit.class);

  /** Less than the silence after which a coordinator may be taken for stopped. */
  private static final long AGAIN_MILLIS = 500;

  /** How long after the decision the client waits at most; the agents finish the rest. */
  private static final long SECOND_PHASE_MILLIS = 2_000;

  private final TransactionSource source;
  private final TransactionId id;
  private final Branch primary;
  private final List<Branch> others;
  private final List<DnId> participants;
  private final SessionReads reads;
  private final TransactionCounts counts;
  private final EventLoop loop;
  private final CompletableFuture<CommitOutcome> outcome = new CompletableFuture<>();
  private final CompletableFuture<Void> finished = new CompletableFuture<>();
  private CommitPhase phase;

  /** When the phase at work began. */
  private long sinceNanos;

  /** Whether the primary's agent has given the transaction up while others were preparing. */
  private boolean givenUp;

  private TwoPhaseCommit(
      TransactionSource source,
      TransactionId id,
      Branch primary,
      List<Branch> others,
      List<DnId> participants,
      SessionReads reads,
      CommitPhase phase) {
    this.source = source;
    this.id = id;
    this.primary = primary;
    this.others = List.copyOf(others);
    this.participants = List.copyOf(participants);
    this.reads = reads;
    this.counts = source.counts();
    this.loop = primary.eventLoop();
    this.phase = phase;
    this.sinceNanos = loop.ticker().nanoTime();
  }

  /** The commit of a session's transaction: {@link #run} is next. */
  static TwoPhaseCommit of(
      TransactionSource source,
      TransactionId id,
      Branch primary,
      List<Branch> others,
      SessionReads reads) {
    List<DnId> participants = others.stream().map(Branch::dn).toList();
    return new TwoPhaseCommit(
        source, id, primary, others, participants, reads, CommitPhase.PREPARING);
  }

  /**
   * The commit of what is prepared: {@link #decide} is next. Where it fails, what is prepared
   * stays.
   *
   * @param primary whose commit decides; pre-committed
   * @param participants the DNs of the prepared branches
   */
  public static TwoPhaseCommit ofPrepared(
      TransactionSource source,
      TransactionId id,
      Branch primary,
      List<DnId> participants,
      SessionReads reads) {
    return new TwoPhaseCommit(
        source, id, primary, List.of(), participants, reads, CommitPhase.DECIDING);
  }

  /** Starts; complete when the client may be answered. Never fails. */
  CompletableFuture<CommitOutcome> run() {
    counts.commits().increment();
    List<CompletableFuture<HlcTimestamp>> prepares = prepare();
    Future<?> patience =
        loop.scheduleAtFixedRate(
            () -> stillAtWork(prepares.getFirst()), AGAIN_MILLIS, AGAIN_MILLIS, MILLISECONDS);
    allOf(prepares)
        .whenCompleteAsync(
            (ok, error) -> {
              patience.cancel(false);
              if (error != null || givenUp) {
                leavePrepared(prepares);
                fail(error == null ? tookTooLong() : AlraiException.causeOf(error));
              } else {
                others.forEach(Branch::release);
                phaseDone(counts.prepared(), counts.prepareNanos());
                advance(CommitPhase.DECIDING, "all branches are prepared");
                decide(largest(prepares));
              }
            },
            loop);
    return outcome;
  }

  private List<CompletableFuture<HlcTimestamp>> prepare() {
    List<CompletableFuture<HlcTimestamp>> prepares = new ArrayList<>();
    primary.state().dependency(reads.stamp());
    others.forEach(other -> other.state().dependency(reads.stamp()));
    prepares.add(participant(primary.dn()).preCommit(primary, id));
    others.forEach(other -> prepares.add(participant(other.dn()).prepare(other, id)));
    return prepares;
  }

  /**
   * Tells the primary's agent that PREPAREs take long, which it would take for a coordinator that
   * is stopped: it answers with a timestamp only if it has forgotten the transaction.
   */
  private void stillAtWork(CompletableFuture<HlcTimestamp> preCommitted) {
    if (preCommitted.isDone() && !preCommitted.isCompletedExceptionally() && !givenUp) {
      participant(primary.dn())
          .preCommit(primary, id)
          .whenCompleteAsync((ts, error) -> givenUp |= error != null || ts.value() != 0, loop);
    }
  }

  /**
   * Decides; complete when the client may be answered. Never fails.
   *
   * @param prepared the largest of all prepare timestamps
   */
  public CompletableFuture<CommitOutcome> decide(HlcTimestamp prepared) {
    source
        .snapshots()
        .commit(prepared)
        .whenComplete((proposed, error) ->
            onLoop(() -> {
              if (error == null) {
                decideAt(proposed);
              } else {
                fail(AlraiException.causeOf(error));
              }
            }));
    return outcome;
  }

  private void decideAt(HlcTimestamp proposed) {
    participant(primary.dn())
        .decide(primary, id, proposed, participants)
        .whenCompleteAsync(
            (commitTs, error) -> {
              if (error == null) {
                phaseDone(counts.decided(), counts.decideNanos());
                advance(CommitPhase.SUBMITTING, "the primary has committed");
                reads.saw(commitTs.value());
                primary.release();
                submit(commitTs);
              } else {
                fail(AlraiException.causeOf(error));
              }
            },
            loop);
  }

  private void submit(HlcTimestamp commitTs) {
    List<CompletableFuture<Void>> submitted = new ArrayList<>();
    List<CompletableFuture<Void>> done = new ArrayList<>();
    for (DnId dn : participants) {
      Finishing commit = participant(dn).commitPrepared(id, commitTs);
      submitted.add(commit.submitted());
      done.add(commit.done());
    }
    Future<?> late =
        loop.schedule(
            () -> {
              answer("an agent finishes it later");
              finished.complete(null);
            },
            SECOND_PHASE_MILLIS,
            MILLISECONDS);
    allOf(submitted).whenCompleteAsync((ok, error) -> answer("no snapshot can leave it out"), loop);
    allOf(done)
        .whenCompleteAsync(
            (ok, error) -> {
              late.cancel(false);
              answer("committed on all DNs");
              finish(error == null);
            },
            loop);
  }

  private void answer(String reason) {
    if (phase == CommitPhase.SUBMITTING) {
      advance(CommitPhase.ANSWERED, reason);
      outcome.complete(new CommitOutcome.Committed());
    }
  }

  private void finish(boolean everywhere) {
    if (everywhere) {
      phaseDone(counts.finished(), counts.finishNanos());
      participant(primary.dn()).forget(id);
    }
    advance(
        CommitPhase.FINISHED,
        everywhere ? "committed on all DNs" : "an agent commits what is prepared there");
    finished.complete(null);
  }

  /** Complete when no lock is left, or after a bounded wait for that. Never fails. */
  public CompletableFuture<Void> finished() {
    return finished;
  }

  private void fail(AlraiException reason) {
    CommitOutcome ended = CommitOutcome.failed(phase, reason);
    boolean inDoubt = ended instanceof CommitOutcome.InDoubt;
    (inDoubt ? counts.inDoubt() : counts.rollbacks()).increment();
    advance(inDoubt ? CommitPhase.IN_DOUBT : CommitPhase.ROLLED_BACK, reason.sentence());
    primary.close();
    if (!inDoubt) {
      // a prepared branch may be the only one that is left to be rolled back
      others.forEach(other -> participant(other.dn()).rollbackPrepared(id));
    }
    finished.complete(null);
    outcome.complete(ended);
  }

  /** Gives back what has been prepared, and closes what may have been. */
  private void leavePrepared(List<CompletableFuture<HlcTimestamp>> prepares) {
    for (int i = 0; i < others.size(); i++) {
      if (prepares.get(i + 1).isCompletedExceptionally()) {
        others.get(i).close();
      } else {
        others.get(i).release();
      }
    }
  }

  private AlraiException tookTooLong() {
    return new AlraiException(
        ErrorCode.ER_LOCK_DEADLOCK,
        "transaction "
            + id.gtrid()
            + " was rolled back, because its commit took too long; try restarting transaction");
  }

  private void advance(CommitPhase next, String reason) {
    if (!phase.mayBecome(next)) {
      throw new IllegalStateException(id.gtrid() + " is " + phase + ", not to become " + next);
    }
    if (next == CommitPhase.IN_DOUBT) {
      log.warn("transaction {} is in doubt: {}", id.gtrid(), reason);
    } else if (log.isDebugEnabled()) {
      log.debug("transaction {}: {} -> {}, {}", id.gtrid(), phase, next, reason);
    }
    phase = next;
  }

  private void phaseDone(LongAdder phases, LongAdder nanos) {
    long now = loop.ticker().nanoTime();
    phases.increment();
    nanos.add(now - sinceNanos);
    sinceNanos = now;
  }

  private CommitParticipant participant(DnId dn) {
    return source.participant(dn);
  }

  private void onLoop(Runnable action) {
    if (loop.inEventLoop()) {
      action.run();
    } else {
      loop.execute(action);
    }
  }

  /** The largest of timestamps that are there. */
  public static HlcTimestamp largest(List<CompletableFuture<HlcTimestamp>> prepares) {
    HlcTimestamp max = HlcTimestamp.ZERO;
    for (CompletableFuture<HlcTimestamp> prepare : prepares) {
      HlcTimestamp ts = prepare.join();
      max = ts.compareTo(max) > 0 ? ts : max;
    }
    return max;
  }

  private static <T> CompletableFuture<Void> allOf(List<CompletableFuture<T>> futures) {
    return CompletableFuture.allOf(futures.toArray(CompletableFuture[]::new));
  }
}
