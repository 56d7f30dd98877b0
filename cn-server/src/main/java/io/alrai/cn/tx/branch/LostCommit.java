package io.alrai.cn.tx.branch;

import io.alrai.cn.branch.BranchControl;
import io.alrai.cn.branch.BranchSource;
import io.alrai.common.error.AlraiException;
import io.alrai.common.error.ErrorCode;
import io.alrai.dn.link.Branch;
import io.alrai.dn.link.CommitFate;
import java.util.concurrent.CompletableFuture;

/**
 * A commit on one DN whose answer was lost with its connection: whoever leads the DN next says what
 * became of it. Event loop only.
 */
public final class LostCommit {
  private LostCommit() {}

  /**
   * What became of the last statement of a branch; never fails.
   *
   * @param reason with which it was lost
   */
  public static CompletableFuture<CommitFate> fate(
      BranchSource source, Branch lost, AlraiException reason) {
    if (reason.hasNotRun() || !reason.isLostConnection()) {
      return CompletableFuture.completedFuture(CommitFate.UNKNOWN);
    }
    CompletableFuture<CommitFate> known = new CompletableFuture<>();
    source
        .participant(lost.dn())
        .fate(lost)
        .whenComplete((fate, error) ->
            lost.eventLoop()
                .execute(() -> known.complete(error == null ? fate : CommitFate.UNKNOWN)));
    return known;
  }

  /** The error of a statement whose answer is lost for good. */
  public static AlraiException explained(CommitFate fate, AlraiException reason) {
    return switch (fate) {
      case COMMITTED -> reason.withSentence(reason.sentence() + "; the statement was done");
      case LOST -> reason.withNothingDone(reason.sentence() + "; the statement was not done");
      case OPEN, UNKNOWN -> reason;
    };
  }

  /** Ends a COMMIT: it is done, rolled back (1213), or nobody knows (8502). */
  static CompletableFuture<Void> settle(BranchSource source, Branch lost, AlraiException reason) {
    return fate(source, lost, reason)
        .thenCompose(fate ->
            switch (fate) {
              case COMMITTED -> CompletableFuture.completedFuture(null);
              case LOST -> CompletableFuture.failedFuture(BranchControl.broken(lost.dn()));
              case OPEN, UNKNOWN ->
                  CompletableFuture.failedFuture(
                      new AlraiException(
                          ErrorCode.ALRAI_COMMIT_IN_DOUBT,
                          "the connection to "
                              + lost.dn()
                              + " broke during COMMIT: the transaction may or may not be committed",
                          reason));
            });
  }
}
