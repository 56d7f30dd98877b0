package io.alrai.cn.commit;

import io.alrai.cn.branch.BranchControl;
import io.alrai.cn.held.TableLocks;
import io.alrai.cn.snapshot.SessionReads;
import io.alrai.cn.snapshot.TransactionSource;
import io.alrai.cn.tx.branch.BranchEnding;
import io.alrai.cn.tx.branch.TransactionBranch;
import io.alrai.common.error.AlraiException;
import io.alrai.common.id.TransactionId;
import io.alrai.common.metrics.Latency;
import io.alrai.dn.link.Branch;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** How a session's transactions commit, one after the other. Event loop only. */
public final class Commits {
  private final TransactionSource source;
  private final SessionReads reads;
  private final SpanningTransactions spanning;

  /**
   * Complete when the locks of the last commit over several DNs are gone, or nobody waits for that
   * any more.
   */
  private CompletableFuture<Void> lastFinished = CompletableFuture.completedFuture(null);

  public Commits(TransactionSource source, SessionReads reads, SpanningTransactions spanning) {
    this.source = source;
    this.reads = reads;
    this.spanning = spanning;
  }

  /** Completes when the locks of the last commit are gone on all DNs; never fails. */
  public CompletableFuture<Void> finished() {
    return lastFinished;
  }

  /**
   * Commits on all branches.
   *
   * @param deciding the primary's
   * @param id absent while there is but one branch
   * @param tablesHeld whether this is under LOCK TABLES, where mysqld forbids XA
   */
  public CompletableFuture<Void> commit(
      Collection<TransactionBranch> branches,
      TransactionBranch deciding,
      Optional<TransactionId> id,
      boolean tablesHeld) {
    List<TransactionBranch> writers = new ArrayList<>(branches);
    writers.removeIf(branch -> !branch.mayHaveChanged());
    boolean twoPhase = writers.size() > 1 && !tablesHeld;
    long since = nanos(deciding);
    List<TransactionBranch> locking = new ArrayList<>();
    for (TransactionBranch branch : branches) {
      if (branch.mayHaveChanged() || (twoPhase && branch == deciding)) {
        continue;
      }
      if (branch.claims()) {
        locking.add(branch);
      } else if (branch.leavesView()) {
        branch.branch().releaseViewed();
      } else {
        BranchEnding.withoutWrites(branch, id.orElse(null));
      }
    }
    ReadLocks locks = new ReadLocks(source, reads, locking, id);
    Set<TransactionBranch> parts = new LinkedHashSet<>(writers);
    if (twoPhase) {
      parts.add(deciding);
    }
    boolean holds = !twoPhase || parts.stream().noneMatch(LockKeeping::mayLoseLocks);
    CompletableFuture<Void> committed =
        writers.isEmpty() || locks.none() && holds
            ? commit(writers, deciding, id, twoPhase)
            : commitUnder(locks, parts, writers, deciding, id, twoPhase);
    if (!writers.isEmpty()) {
      Latency times = twoPhase ? source.counts().manyDnTimes() : source.counts().oneDnTimes();
      committed.whenComplete((done, error) -> times.record(nanos(deciding) - since));
    }
    return committed
        .handle((done, error) -> locks.end(error == null).thenCompose(ended -> outcome(error)))
        .thenCompose(Function.identity());
  }

  private static long nanos(TransactionBranch deciding) {
    return deciding.branch().eventLoop().ticker().nanoTime();
  }

  /** What is not in doubt is rolled back where it is not done. */
  private static CompletableFuture<Void> outcome(@Nullable Throwable error) {
    return error == null
        ? CompletableFuture.completedFuture(null)
        : CompletableFuture.failedFuture(BranchControl.ended(AlraiException.causeOf(error)));
  }

  private CompletableFuture<Void> commitUnder(
      ReadLocks locks,
      Set<TransactionBranch> parts,
      List<TransactionBranch> writers,
      TransactionBranch deciding,
      Optional<TransactionId> id,
      boolean twoPhase) {
    return locks
        .verify()
        .thenCompose(held -> twoPhase ? LockKeeping.keep(parts, id.orElseThrow()) : done())
        .handle((held, error) ->
            error == null
                ? commit(writers, deciding, id, twoPhase).thenCompose(done -> locks.passStamp())
                : CompletableFuture.allOf(
                        parts.stream()
                            .map(part -> BranchEnding.rollback(part, id.orElse(null)))
                            .toArray(CompletableFuture[]::new))
                    .thenCompose(undone -> outcome(error)))
        .thenCompose(Function.identity());
  }

  private static CompletableFuture<Void> done() {
    return CompletableFuture.completedFuture(null);
  }

  private CompletableFuture<Void> commit(
      List<TransactionBranch> writers,
      TransactionBranch deciding,
      Optional<TransactionId> id,
      boolean twoPhase) {
    if (twoPhase) {
      writers.remove(deciding);
      List<Branch> others = writers.stream().map(TransactionBranch::branch).toList();
      TwoPhaseCommit commit =
          TwoPhaseCommit.of(source, id.orElseThrow(), deciding.branch(), others, reads);
      // no session gets more than one commit ahead of its locks
      CompletableFuture<Void> answered =
          CompletableFuture.allOf(commit.run().thenCompose(CommitOutcome::answer), lastFinished);
      lastFinished = commit.finished();
      spanning.finishing(lastFinished);
      return answered;
    }
    return onePhase(writers, id);
  }

  private CompletableFuture<Void> onePhase(
      List<TransactionBranch> writers, Optional<TransactionId> id) {
    writers.forEach(writer -> writer.branch().state().dependency(reads.stamp()));
    return TableLocks.commit(writers, id.orElse(null), source)
        .thenRun(() ->
            writers.forEach(
                writer -> reads.saw(source.views(writer.branch().dn()).visibleStamp())));
  }
}
