package io.alrai.dn.binlog;

import io.alrai.common.id.DnId;
import io.alrai.common.id.TransactionId;
import io.alrai.common.time.HlcTimestamp;
import java.util.List;

/** What a transaction of the binary log is. */
public sealed interface TransactionKind {
  /** A plain commit: a transaction that wrote on this DN only, or the agent's own bookkeeping. */
  record Commit() implements TransactionKind {}

  /**
   * The commit of a primary: the decision about a distributed transaction.
   *
   * @param marked the DNs of its XA branches where the decision is a {@link DecisionMark}; empty
   *     where it has its row in alrai.tx_log
   */
  record Decision(TransactionId id, HlcTimestamp commitTs, List<DnId> marked)
      implements TransactionKind {
    public Decision {
      marked = List.copyOf(marked);
    }

    /** One with a row. */
    public Decision(TransactionId id, HlcTimestamp commitTs) {
      this(id, commitTs, List.of());
    }
  }

  /** The row of a transaction in alrai.tx_log that says that it is aborted for good. */
  record Tombstone(TransactionId id) implements TransactionKind {}

  /** XA PREPARE; the rows are here. */
  record XaPrepare(Xid xid) implements TransactionKind {}

  /** XA COMMIT of a branch that was prepared before; has no rows. */
  record XaCommit(Xid xid) implements TransactionKind {}

  /** XA ROLLBACK of a branch that was prepared before; has no rows. */
  record XaRollback(Xid xid) implements TransactionKind {}

  /** XA COMMIT ... ONE PHASE; the rows are here. */
  record OnePhase(Xid xid) implements TransactionKind {}

  /** DDL, account statements and everything else that is a statement in the log. */
  record Statement() implements TransactionKind {}
}
