package io.alrai.cn.commit;

import io.alrai.common.error.AlraiException;
import io.alrai.common.error.ErrorCode;
import java.util.concurrent.CompletableFuture;

/** How a commit over several DNs ended, as far as its client is concerned. */
public sealed interface CommitOutcome {
  /** Every later snapshot on every DN has the transaction in it. */
  record Committed() implements CommitOutcome {}

  /** Nothing was decided: the primary's branch is rolled back. */
  record RolledBack(AlraiException reason) implements CommitOutcome {}

  /**
   * It may be committed or not: the agents find out.
   *
   * @param reason ALRAI_COMMIT_IN_DOUBT
   */
  record InDoubt(AlraiException reason) implements CommitOutcome {}

  /** What becomes of a commit that fails in a phase: the only place that says so. */
  static CommitOutcome failed(CommitPhase phase, AlraiException reason) {
    boolean mayBeDecided =
        phase == CommitPhase.DECIDING && reason.is(ErrorCode.ALRAI_COMMIT_IN_DOUBT);
    return mayBeDecided ? new InDoubt(reason) : new RolledBack(reason);
  }

  /** The answer to the client: complete, or failed with the reason. */
  default CompletableFuture<Void> answer() {
    return switch (this) {
      case Committed committed -> CompletableFuture.completedFuture(null);
      case RolledBack(AlraiException reason) -> CompletableFuture.failedFuture(reason);
      case InDoubt(AlraiException reason) -> CompletableFuture.failedFuture(reason);
    };
  }
}
