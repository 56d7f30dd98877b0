package io.alrai.dn.link;

import io.alrai.common.id.DnId;
import io.alrai.common.id.TransactionId;
import io.alrai.common.time.HlcTimestamp;
import java.util.List;
import java.util.concurrent.CompletableFuture;

/**
 * An agent's part in the commit of a transaction over several DNs: the primary branch is a plain
 * transaction whose local commit, with a row in {@code alrai.tx_log}, is the decision; all others
 * are XA branches. Futures complete on any thread.
 */
public interface CommitParticipant {
  /**
   * Ends and prepares an XA branch. Must be called on the branch's event loop, with no reply
   * outstanding. Afterwards the branch is to be given back, by {@link Branch#releasePrepared} where
   * another CN may end what is prepared.
   *
   * @return the prepare timestamp: {@code advance()} of the agent's clock
   */
  CompletableFuture<HlcTimestamp> prepare(Branch branch, TransactionId id);

  /**
   * Records that the primary's branch waits for its decision: UNDECIDED.
   *
   * @return the prepare timestamp
   */
  CompletableFuture<HlcTimestamp> preCommit(Branch branch, TransactionId id);

  /**
   * Decides on the primary's own branch: inserts the tx_log row and commits.
   *
   * @param proposed the largest of all prepare timestamps
   * @param participants the other DNs
   * @return the commit timestamp. Fails with a RETRY error when the transaction was aborted by its
   *     tombstone, and with ALRAI_COMMIT_IN_DOUBT when the connection broke before the answer
   */
  CompletableFuture<HlcTimestamp> decide(
      Branch branch, TransactionId id, HlcTimestamp proposed, List<DnId> participants);

  /** Commits a prepared branch; it may be committed already. */
  Finishing commitPrepared(TransactionId id, HlcTimestamp commitTs);

  /** Rolls a prepared branch back; it may be rolled back already. */
  CompletableFuture<Void> rollbackPrepared(TransactionId id);

  /** Every participant has committed: the tx_log row may go. */
  void forget(TransactionId id);

  /**
   * Asked of the primary's agent by whoever holds a prepared branch with a silent coordinator.
   *
   * @return the outcome; an undecided transaction whose coordinator is gone is aborted by this
   */
  CompletableFuture<Outcome> outcome(TransactionId id);

  /**
   * Asked of the primary's agent by an agent that opens a view at a snapshot and holds a prepared
   * branch: makes an undecided transaction commit above the snapshot. Does not wait for the
   * decision.
   *
   * @param prepareTs of the branch there; ZERO when it is not known
   * @param above the snapshot
   */
  CompletableFuture<PushAnswer> push(TransactionId id, HlcTimestamp prepareTs, HlcTimestamp above);

  /**
   * What became of the last statement that was sent on a branch whose connection is lost, asked
   * from whoever leads next; takes until somebody does, some seconds at most. Never {@link
   * CommitFate#OPEN}.
   */
  default CompletableFuture<CommitFate> fate(Branch lost) {
    return CompletableFuture.completedFuture(CommitFate.UNKNOWN);
  }

  /** Whether this DN still holds a prepared branch of the transaction. */
  CompletableFuture<Boolean> holdsPrepared(TransactionId id);

  /**
   * The commit of a prepared branch on its way.
   *
   * @param submitted complete when no snapshot that is opened on the DN from then on can leave the
   *     transaction out: the client may be answered, only its rows are still locked
   * @param done complete when the mysqld has committed it; never before {@code submitted}
   */
  record Finishing(CompletableFuture<Void> submitted, CompletableFuture<Void> done) {}

  /** The outcome of a transaction. */
  sealed interface Outcome {
    /** Committed at a timestamp. */
    record Committed(HlcTimestamp commitTs) implements Outcome {}

    /** Aborted, for good. */
    record RolledBack() implements Outcome {}

    /** Its coordinator is at work on it: ask again. */
    record InDoubt() implements Outcome {}

    /**
     * Prepared for a client, by XA PREPARE, and not being decided at this moment: it stays as it is
     * until a client decides. Only the agent itself gets this answer; others get {@link InDoubt}.
     */
    record Clients() implements Outcome {}
  }
}
