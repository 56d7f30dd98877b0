package io.alrai.dn.ship;

import io.alrai.common.id.DnId;
import io.alrai.common.id.TransactionId;
import io.alrai.common.time.HlcTimestamp;
import io.alrai.dn.binlog.GtidSet;
import java.util.Collection;
import java.util.concurrent.CompletableFuture;

/** What the follower of a DN needs of it, wherever its agent is. Thread-safe. */
public interface DnLog {
  /** Whose it is. */
  DnId dn();

  /**
   * Reads what becomes visible from now on, with its stamps.
   *
   * @throws io.alrai.dn.binlog.BinlogException when the agent cannot be reached
   */
  LogSubscription follow() throws InterruptedException;

  /**
   * Reads what is not in the set, with its stamps, and then on: what an earlier subscription has
   * given comes no second time, even if another member leads by now.
   *
   * @param known {@link LogSubscription#position} of that one
   * @throws io.alrai.dn.binlog.BinlogException when the agent cannot be reached; {@link
   *     io.alrai.dn.binlog.BinlogException#positionLost} when not all can be had any more
   */
  LogSubscription follow(GtidSet known) throws InterruptedException;

  /**
   * How far its commits are complete; at or above what is wanted. See {@link
   * io.alrai.dn.gate.live.LiveGate#resolve}.
   */
  CompletableFuture<ResolvedPlace> resolve(HlcTimestamp wanted);

  /**
   * Where a snapshot is in the log, for a member whose mysqld is to show it. See {@link
   * io.alrai.dn.gate.live.LiveGate#place}.
   */
  CompletableFuture<SnapshotPlace> place(HlcTimestamp at);

  /** The branches that are prepared there now, or on their way to it or from it. */
  CompletableFuture<Collection<TransactionId>> preparedBranches();
}
