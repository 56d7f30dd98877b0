package io.alrai.cn.tx;

import io.alrai.common.error.AlraiException;
import io.alrai.common.error.ErrorCode;
import io.alrai.common.id.DnId;
import io.alrai.common.id.TransactionId;
import io.alrai.common.time.HlcTimestamp;
import io.alrai.dn.link.CommitParticipant.Finishing;
import io.netty.channel.EventLoop;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.LongAdder;

/**
 * Commits a transaction that wrote on several DNs: prepare all XA branches and announce it to the
 * primary, decide on the primary's branch, commit the others. Event loop only.
 *
 * <pre>
 * PREPARING -> DECIDING -> SUBMITTING -> answered -> finished
 *     |            |
 *     +------------+--> rolled back, or in doubt when the decision's answer was lost
 * </pre>
 */
final class TwoPhaseCommit {
  /** After the decision the client is answered at the latest then; the agents finish the rest. */
  private static final long SECOND_PHASE_MILLIS = 2_000;

  private final BranchSource source;
  private final TransactionId id;
  private final TransactionBranch primary;
  private final List<TransactionBranch> others;
  private final SessionReads reads;
  private final TransactionCounts counts;
  private final EventLoop loop;
  private final CompletableFuture<Void> finished = new CompletableFuture<>();

  /** When the phase at work began. */
  private long sinceNanos;

  TwoPhaseCommit(
      BranchSource source,
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
    sinceNanos = System.nanoTime();
    List<CompletableFuture<HlcTimestamp>> prepares = new ArrayList<>();
    primary.branch().state().dependency(reads.stamp());
    others.forEach(other -> other.branch().state().dependency(reads.stamp()));
    prepares.add(source.participant(primary.branch().dn()).preCommit(primary.branch(), id));
    for (TransactionBranch other : others) {
      prepares.add(source.participant(other.branch().dn()).prepare(other.branch(), id));
    }
    CompletableFuture<Void> result = new CompletableFuture<>();
    result.whenComplete((ok, error) -> {
      if (error != null) {
        finished.complete(null);
      }
    });
    CompletableFuture.allOf(prepares.toArray(CompletableFuture[]::new))
        .whenCompleteAsync(
            (ok, error) -> {
              if (error != null) {
                abort(AlraiException.causeOf(error), result);
              } else {
                phaseDone(counts.prepared(), counts.prepareNanos());
                for (TransactionBranch other : others) {
                  other.branch().release();
                }
                propose(largest(prepares), result);
              }
            },
            loop);
    return result;
  }

  private void phaseDone(LongAdder phases, LongAdder nanos) {
    long now = System.nanoTime();
    phases.increment();
    nanos.add(now - sinceNanos);
    sinceNanos = now;
  }

  private static HlcTimestamp largest(List<CompletableFuture<HlcTimestamp>> prepares) {
    HlcTimestamp max = HlcTimestamp.ZERO;
    for (CompletableFuture<HlcTimestamp> prepare : prepares) {
      HlcTimestamp ts = prepare.join();
      max = ts.compareTo(max) > 0 ? ts : max;
    }
    return max;
  }

  private void propose(HlcTimestamp prepared, CompletableFuture<Void> result) {
    source
        .snapshots()
        .commit(prepared)
        .whenComplete((proposed, error) -> {
          if (error != null) {
            onLoop(() -> rolledBack(AlraiException.causeOf(error), result));
          } else {
            onLoop(() -> decide(proposed, result));
          }
        });
  }

  private void onLoop(Runnable action) {
    if (loop.inEventLoop()) {
      action.run();
    } else {
      loop.execute(action);
    }
  }

  /** All is prepared, and will not be decided. */
  private void rolledBack(AlraiException reason, CompletableFuture<Void> result) {
    counts.rollbacks().increment();
    undoPrepared();
    primary.branch().close();
    result.completeExceptionally(reason);
  }

  private void decide(HlcTimestamp proposed, CompletableFuture<Void> result) {
    List<DnId> participants = others.stream().map(other -> other.branch().dn()).toList();
    source
        .participant(primary.branch().dn())
        .decide(primary.branch(), id, proposed, participants)
        .whenCompleteAsync(
            (commitTs, error) -> {
              if (error == null) {
                phaseDone(counts.decided(), counts.decideNanos());
                reads.saw(commitTs.value());
                primary.branch().release();
                commitOthers(commitTs, result);
              } else if (AlraiException.causeOf(error).errno()
                  == ErrorCode.ALRAI_COMMIT_IN_DOUBT.errno()) {
                counts.inDoubt().increment();
                primary.branch().close();
                result.completeExceptionally(AlraiException.causeOf(error));
              } else {
                rolledBack(AlraiException.causeOf(error), result);
              }
            },
            loop);
  }

  private void commitOthers(HlcTimestamp commitTs, CompletableFuture<Void> result) {
    List<CompletableFuture<Void>> submitted = new ArrayList<>();
    List<CompletableFuture<Void>> done = new ArrayList<>();
    for (TransactionBranch other : others) {
      Finishing commit = source.participant(other.branch().dn()).commitPrepared(id, commitTs);
      submitted.add(commit.submitted());
      done.add(commit.done());
    }
    Future<?> late =
        loop.schedule(
            () -> {
              result.complete(null);
              finished.complete(null);
            },
            SECOND_PHASE_MILLIS,
            TimeUnit.MILLISECONDS);
    allOf(submitted).whenCompleteAsync((ok, error) -> result.complete(null), loop);
    allOf(done)
        .whenCompleteAsync(
            (ok, error) -> {
              late.cancel(false);
              finished.complete(null);
              if (error == null) {
                phaseDone(counts.finished(), counts.finishNanos());
                source.participant(primary.branch().dn()).forget(id);
              }
            },
            loop);
  }

  /** Complete when no lock is left, or after a bounded wait for that. Never fails. */
  CompletableFuture<Void> finished() {
    return finished;
  }

  private static CompletableFuture<Void> allOf(List<CompletableFuture<Void>> futures) {
    return CompletableFuture.allOf(futures.toArray(CompletableFuture[]::new));
  }

  private void abort(AlraiException reason, CompletableFuture<Void> result) {
    counts.rollbacks().increment();
    primary.branch().close();
    for (TransactionBranch other : others) {
      other.branch().close();
    }
    undoPrepared();
    result.completeExceptionally(reason);
  }

  private void undoPrepared() {
    for (TransactionBranch other : others) {
      source.participant(other.branch().dn()).rollbackPrepared(id);
    }
  }
}
