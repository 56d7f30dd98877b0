package io.alrai.dn.gate;

import io.alrai.common.id.TransactionId;
import io.alrai.common.time.HlcTimestamp;
import io.alrai.dn.binlog.BinlogPosition;

/**
 * A whole transaction has come in the binlog stream. It is in the mysqld's log and not yet visible.
 */
public sealed interface Arrival {
  /** Its exact end in the log. */
  BinlogPosition end();

  /**
   * A commit that is stamped here: plain COMMIT, one phase, DDL, and every statement that is not
   * Alrai's.
   *
   * @param dependency the largest stamp that its session wrote or read, ZERO for none; never the
   *     clock of a message, which is nearly always above the snapshots that wait for their cut
   */
  record Plain(BinlogPosition end, HlcTimestamp dependency) implements Arrival {}

  /** The primary's COMMIT with its tx_log row: the decision. */
  record Decision(BinlogPosition end, TransactionId id, HlcTimestamp commitTs) implements Arrival {}

  /** A tombstone was written to tx_log: the transaction is aborted for good. */
  record Tombstone(BinlogPosition end, TransactionId id) implements Arrival {}

  /** XA PREPARE of a branch of ours: it has the rows, which become visible with the XA COMMIT. */
  record XaPrepare(BinlogPosition end, TransactionId id) implements Arrival {}

  /** XA COMMIT of a branch of ours. */
  record XaCommit(BinlogPosition end, TransactionId id) implements Arrival {}

  /** XA ROLLBACK of a prepared branch of ours. */
  record XaRollback(BinlogPosition end, TransactionId id) implements Arrival {}
}
