package io.alrai.cn.commit;

import static java.util.concurrent.TimeUnit.MILLISECONDS;

import io.alrai.cn.snapshot.SessionReads;
import io.alrai.cn.snapshot.TransactionCounts;
import io.alrai.cn.snapshot.TransactionSource;
import io.alrai.cn.tx.branch.TransactionBranch;
import io.alrai.common.error.AlraiException;
import io.alrai.common.error.ErrorCode;
import io.alrai.common.id.TransactionId;
import io.alrai.common.time.HlcTimestamp;
import io.netty.channel.EventLoop;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Future;

/**
 * Commits a transaction that wrote on several DNs: prepare all XA branches and announce it to the
 * primary, then the {@link Decision}. Event loop only.
 *
 * <pre>
 * PREPARING -> DECIDING -> SUBMITTING -> answered -> finished
 *     |            |
 *     +------------+--> rolled back, or in doubt when the decision's answer was lost
 * </pre>
 */
public final class TwoPhaseCommit {
  /** Less than the silence after which a coordinator may be taken for stopped. */
  private static final long AGAIN_MILLIS = 500;

  private final TransactionSource source;
  private final TransactionId id;
  private final TransactionBranch primary;
  private final List<TransactionBranch> others;
  private final SessionReads reads;
  private final TransactionCounts counts;
  private final EventLoop loop;
  private final CompletableFuture<Void> finished = new CompletableFuture<>();

  /** Whether the primary's agent has given the transaction up while others were preparing. */
  private boolean givenUp;

  TwoPhaseCommit(
      TransactionSource source,
      TransactionId id,
      TransactionBranch primary,
      List<TransactionBranch> others,
      SessionReads reads) {
    this.source = source;
    this.id = id;
    this.primary = primary;
    this.others = List.copyOf(others);
    this.reads = reads;
    this.counts = source.counts();
    this.loop = primary.branch().eventLoop();
  }

  /**
   * Starts. The future completes when the client may be answered: every later snapshot on every DN
   * has the transaction in it.
   */
  CompletableFuture<Void> run() {
    counts.commits().increment();
    long beganNanos = System.nanoTime();
    List<CompletableFuture<HlcTimestamp>> prepares = new ArrayList<>();
    primary.branch().state().dependency(reads.stamp());
    others.forEach(other -> other.branch().state().dependency(reads.stamp()));
    prepares.add(source.participant(primary.branch().dn()).preCommit(primary.branch(), id));
    for (TransactionBranch other : others) {
      prepares.add(source.participant(other.branch().dn()).prepare(other.branch(), id));
    }
    CompletableFuture<Void> result = new CompletableFuture<>();
    CompletableFuture<Void> all =
        CompletableFuture.allOf(prepares.toArray(CompletableFuture[]::new));
    Future<?> patience =
        loop.scheduleAtFixedRate(
            () -> stillAtWork(prepares.getFirst()), AGAIN_MILLIS, AGAIN_MILLIS, MILLISECONDS);
    all.whenCompleteAsync(
        (ok, error) -> {
          patience.cancel(false);
          if (error != null || givenUp) {
            abort(prepares, error == null ? tookTooLong() : AlraiException.causeOf(error), result);
            return;
          }
          counts.prepared().increment();
          counts.prepareNanos().add(System.nanoTime() - beganNanos);
          others.forEach(other -> other.branch().release());
          decide(largest(prepares), result);
        },
        loop);
    return result;
  }

  /**
   * Tells the primary's agent that PREPAREs take long, which it would take for a coordinator that
   * is stopped: it answers with a timestamp only if it has forgotten the transaction.
   */
  private void stillAtWork(CompletableFuture<HlcTimestamp> preCommitted) {
    if (preCommitted.isDone() && !preCommitted.isCompletedExceptionally() && !givenUp) {
      source
          .participant(primary.branch().dn())
          .preCommit(primary.branch(), id)
          .whenCompleteAsync((ts, error) -> givenUp |= error != null || ts.value() != 0, loop);
    }
  }

  private AlraiException tookTooLong() {
    return new AlraiException(
        ErrorCode.ER_LOCK_DEADLOCK,
        "transaction "
            + id.gtrid()
            + " was rolled back, because its commit took too long; try restarting transaction");
  }

  /** Of timestamps that are there. */
  public static HlcTimestamp largest(List<CompletableFuture<HlcTimestamp>> prepares) {
    HlcTimestamp max = HlcTimestamp.ZERO;
    for (CompletableFuture<HlcTimestamp> prepare : prepares) {
      HlcTimestamp ts = prepare.join();
      max = ts.compareTo(max) > 0 ? ts : max;
    }
    return max;
  }

  private void decide(HlcTimestamp prepared, CompletableFuture<Void> result) {
    Decision decision =
        new Decision(
            source,
            id,
            primary.branch(),
            others.stream().map(other -> other.branch().dn()).toList(),
            reads);
    decision.finished().thenRun(() -> finished.complete(null));
    decision
        .run(prepared)
        .whenComplete((ok, error) -> {
          if (error == null) {
            result.complete(null);
            return;
          }
          AlraiException reason = AlraiException.causeOf(error);
          if (!Decision.isInDoubt(reason)) {
            undoPrepared();
          }
          result.completeExceptionally(reason);
        });
  }

  /** Complete when no lock is left, or after a bounded wait for that. Never fails. */
  CompletableFuture<Void> finished() {
    return finished;
  }

  /** Rolls back on every DN: a prepared branch may be the only one left to be rolled back. */
  private void abort(
      List<CompletableFuture<HlcTimestamp>> prepares,
      AlraiException reason,
      CompletableFuture<Void> result) {
    counts.rollbacks().increment();
    primary.branch().close();
    for (int i = 0; i < others.size(); i++) {
      if (prepares.get(i + 1).isCompletedExceptionally()) {
        others.get(i).branch().close();
      } else {
        others.get(i).branch().release();
      }
    }
    undoPrepared();
    finished.complete(null);
    result.completeExceptionally(reason);
  }

  private void undoPrepared() {
    for (TransactionBranch other : others) {
      source.participant(other.branch().dn()).rollbackPrepared(id);
    }
  }
}
