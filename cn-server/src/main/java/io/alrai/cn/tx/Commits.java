package io.alrai.cn.tx;

import io.alrai.common.id.TransactionId;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;

/** How a session's transactions commit, one after the other. Event loop only. */
final class Commits {
  private final BranchSource source;
  private final SessionReads reads;
  private final SpanningTransactions spanning;

  /** The locks of the last one over several DNs are gone, or nobody waits for that any more. */
  private CompletableFuture<Void> lastFinished = CompletableFuture.completedFuture(null);

  Commits(BranchSource source, SessionReads reads, SpanningTransactions spanning) {
    this.source = source;
    this.reads = reads;
    this.spanning = spanning;
  }

  /**
   * Commits on all branches.
   *
   * @param deciding the primary's
   * @param id absent while there is but one branch
   * @param tablesHeld whether this is under LOCK TABLES, where mysqld forbids XA
   */
  CompletableFuture<Void> commit(
      Collection<TransactionBranch> branches,
      TransactionBranch deciding,
      Optional<TransactionId> id,
      boolean tablesHeld) {
    List<TransactionBranch> writers = new ArrayList<>(branches);
    writers.removeIf(branch -> !branch.wrote());
    List<CompletableFuture<Void>> all = new ArrayList<>();
    boolean twoPhase = writers.size() > 1 && !tablesHeld;
    for (TransactionBranch branch : branches) {
      if (!branch.wrote() && !(twoPhase && branch == deciding)) {
        CompletableFuture<Void> ending = BranchEnding.withoutWrites(branch, id.orElse(null));
        if (!branch.viewed()) {
          // it may hold locks of SERIALIZABLE's reads
          all.add(ending);
        }
      }
    }
    if (twoPhase) {
      writers.remove(deciding);
      TwoPhaseCommit commit =
          new TwoPhaseCommit(source, id.orElseThrow(), deciding, writers, reads);
      all.add(commit.run());
      // no session gets more than one commit ahead of its locks
      all.add(lastFinished);
      lastFinished = commit.finished();
      spanning.finishing(lastFinished);
    } else {
      all.add(onePhase(writers, id));
    }
    return CompletableFuture.allOf(all.toArray(CompletableFuture[]::new));
  }

  private CompletableFuture<Void> onePhase(
      List<TransactionBranch> writers, Optional<TransactionId> id) {
    writers.forEach(writer -> writer.branch().state().dependency(reads.stamp()));
    return TableLocks.commit(writers, id.orElse(null))
        .thenRun(() ->
            writers.forEach(
                writer -> reads.saw(source.views(writer.branch().dn()).visibleStamp())));
  }
}
