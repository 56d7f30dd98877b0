package io.alrai.cn.commit;

import io.alrai.cn.snapshot.SessionReads;
import io.alrai.cn.snapshot.TransactionCounts;
import io.alrai.cn.snapshot.TransactionSource;
import io.alrai.common.error.AlraiException;
import io.alrai.common.error.ErrorCode;
import io.alrai.common.id.DnId;
import io.alrai.common.id.TransactionId;
import io.alrai.common.time.HlcTimestamp;
import io.alrai.dn.link.Branch;
import io.alrai.dn.link.CommitParticipant.Finishing;
import io.netty.channel.EventLoop;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.LongAdder;

/**
 * The second half of a commit over several DNs, all of whose branches are prepared: decides on the
 * primary's plain branch, then commits the prepared ones. Event loop only.
 *
 * <pre>
 * DECIDING -> SUBMITTING -> answered -> finished
 *     |
 *     +------> failed, or in doubt when the decision's answer was lost
 * </pre>
 */
public final class Decision {
  /**
   * The latest time after the decision at which the client is answered; the agents finish the rest.
   */
  private static final long SECOND_PHASE_MILLIS = 2_000;

  private final TransactionSource source;
  private final TransactionId id;
  private final Branch primary;
  private final List<DnId> participants;
  private final SessionReads reads;
  private final TransactionCounts counts;
  private final EventLoop loop;
  private final CompletableFuture<Void> result = new CompletableFuture<>();
  private final CompletableFuture<Void> finished = new CompletableFuture<>();

  /** When the phase at work began. */
  private long sinceNanos = System.nanoTime();

  /**
   * The decision of one transaction.
   *
   * @param primary its own branch, whose commit decides; pre-committed
   * @param participants the DNs of its prepared branches
   */
  public Decision(
      TransactionSource source,
      TransactionId id,
      Branch primary,
      List<DnId> participants,
      SessionReads reads) {
    this.source = source;
    this.id = id;
    this.primary = primary;
    this.participants = List.copyOf(participants);
    this.reads = reads;
    this.counts = source.counts();
    this.loop = primary.eventLoop();
  }

  /**
   * Starts. The future completes when the client may be answered: every later snapshot on every DN
   * has the transaction in it. It fails when nothing is decided, with the primary's branch closed,
   * and with ALRAI_COMMIT_IN_DOUBT.
   *
   * @param prepared the largest of all prepare timestamps
   */
  public CompletableFuture<Void> run(HlcTimestamp prepared) {
    source
        .snapshots()
        .commit(prepared)
        .whenComplete((proposed, error) -> {
          if (error != null) {
            onLoop(() -> failed(AlraiException.causeOf(error)));
          } else {
            onLoop(() -> decide(proposed));
          }
        });
    return result;
  }

  /** Complete when no lock is left, or after a bounded wait for that. Never fails. */
  public CompletableFuture<Void> finished() {
    return finished;
  }

  private void onLoop(Runnable action) {
    if (loop.inEventLoop()) {
      action.run();
    } else {
      loop.execute(action);
    }
  }

  private void decide(HlcTimestamp proposed) {
    source
        .participant(primary.dn())
        .decide(primary, id, proposed, participants)
        .whenCompleteAsync(
            (commitTs, error) -> {
              if (error == null) {
                phaseDone(counts.decided(), counts.decideNanos());
                reads.saw(commitTs.value());
                primary.release();
                commitPrepared(commitTs);
              } else {
                failed(AlraiException.causeOf(error));
              }
            },
            loop);
  }

  private void failed(AlraiException reason) {
    LongAdder counted = isInDoubt(reason) ? counts.inDoubt() : counts.rollbacks();
    counted.increment();
    primary.close();
    finished.complete(null);
    result.completeExceptionally(reason);
  }

  /** Whether it may have been decided. */
  public static boolean isInDoubt(AlraiException reason) {
    return reason.errno() == ErrorCode.ALRAI_COMMIT_IN_DOUBT.errno();
  }

  private void phaseDone(LongAdder phases, LongAdder nanos) {
    long now = System.nanoTime();
    phases.increment();
    nanos.add(now - sinceNanos);
    sinceNanos = now;
  }

  private void commitPrepared(HlcTimestamp commitTs) {
    List<CompletableFuture<Void>> submitted = new ArrayList<>();
    List<CompletableFuture<Void>> done = new ArrayList<>();
    for (DnId participant : participants) {
      Finishing commit = source.participant(participant).commitPrepared(id, commitTs);
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
                source.participant(primary.dn()).forget(id);
              }
            },
            loop);
  }

  private static CompletableFuture<Void> allOf(List<CompletableFuture<Void>> futures) {
    return CompletableFuture.allOf(futures.toArray(CompletableFuture[]::new));
  }
}
