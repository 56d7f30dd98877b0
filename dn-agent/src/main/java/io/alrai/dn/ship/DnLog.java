package io.alrai.dn.ship;

import io.alrai.common.id.DnId;
import io.alrai.common.id.TransactionId;
import io.alrai.common.time.HlcTimestamp;
import java.util.Collection;
import java.util.concurrent.CompletableFuture;

/** What the follower of a DN needs of it, wherever its agent is. Thread-safe. */
public interface DnLog extends FollowedLog {
  /** Whose it is. */
  DnId dn();

  /** Who gives it to its readers: a member that follows, or, by the DN's name, its leader. */
  default String feeder() {
    return dn().name();
  }

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

  /** What is visible there now, for a member that gives the log to others. */
  CompletableFuture<Mark> mark();

  /** The branches that are prepared there now, or on their way to it or from it. */
  CompletableFuture<Collection<TransactionId>> preparedBranches();
}
