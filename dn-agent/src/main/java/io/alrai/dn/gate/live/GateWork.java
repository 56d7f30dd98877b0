package io.alrai.dn.gate.live;

import io.alrai.common.id.TransactionId;
import io.alrai.common.time.HlcTimestamp;
import io.alrai.dn.binlog.BinlogPosition;
import io.alrai.dn.binlog.BinlogTransaction;
import io.alrai.dn.binlog.GtidSet;
import io.alrai.dn.link.CommitParticipant.Outcome;
import io.alrai.dn.link.KeyedTable;
import java.util.Collection;
import java.util.concurrent.CompletableFuture;

/**
 * What a gate wants done at its mysqld. Called on the gate's loop; must not block. Futures complete
 * on any thread.
 */
public interface GateWork {
  /**
   * A life of the mysqld begins.
   *
   * @param visible all that is let through; the receiver's own
   * @param start the position in the log after it
   */
  void lifeBegins(GtidSet visible, BinlogPosition start);

  /** A transaction is in the log; a mysqld that dies now loses it. */
  void logged(BinlogTransaction transaction);

  /** It has been let through, and nothing can undo it any more. */
  void letThrough(BinlogTransaction transaction);

  /**
   * Writes a primary's decision and commits, on the primary's own branch; {@link LiveGate#answered}
   * follows when that has ended.
   */
  void submitDecision(TransactionId id, HlcTimestamp commitTs);

  /** Rolls a primary's branch back: it may not be decided any more. */
  void refuseDecision(TransactionId id);

  /**
   * Repeats XA COMMIT until it is done, or the mysqld's life has ended; {@link LiveGate#answered}
   * when it is done.
   */
  void submitXaCommit(TransactionId id);

  /** The outcome by this DN's own log; writes a tombstone if the log has none. */
  CompletableFuture<Outcome> settle(TransactionId id);

  /** The prepared branches of Alrai that the mysqld lists now. */
  CompletableFuture<? extends Collection<TransactionId>> recover();

  /** The mysqld's life has ended, or is about to. */
  void lifeEnded();

  /**
   * Whether a transaction is visible.
   *
   * @param gtid its name
   * @param seconds how long to wait for it
   */
  CompletableFuture<Boolean> executed(String gtid, double seconds);

  /**
   * Whether all that changes rows of a table is in the log, with their keys: it is of InnoDB, has
   * no foreign keys that change rows of their own, and its keys are whole numbers.
   */
  CompletableFuture<Boolean> isWatchable(KeyedTable table);
}
