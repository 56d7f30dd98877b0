package io.alrai.dn.rpc;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import io.alrai.common.error.AlraiException;
import io.alrai.common.error.ErrorCode;
import io.alrai.common.id.DnId;
import io.alrai.common.time.HlcTimestamp;
import io.alrai.dn.backend.BackendConnector;
import io.alrai.dn.backend.PipelinedBranch;
import io.alrai.dn.backend.PoolLimits;
import io.alrai.dn.link.BackendAccount;
import io.alrai.dn.link.Branch;
import io.alrai.dn.link.BranchTaker;
import io.alrai.dn.link.ViewOpener;
import io.netty.channel.EventLoop;
import java.net.InetSocketAddress;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.LongSupplier;

/**
 * Opens connections to the mysqlds of members that follow, in turns, and views there. Nobody waits
 * for long: what cannot be read there is read at the leader. After a failure nobody tries for a
 * while, which doubles with each. Thread-safe.
 */
final class ReplicaConnector implements BackendConnector, ViewOpener {
  private static final long FIRST_PAUSE_NANOS = TimeUnit.MILLISECONDS.toNanos(100);
  private static final int MOST_DOUBLINGS = 5;

  private final DnId dn;
  private final AgentConnector connector;
  private final RemoteViews views;
  private final LongSupplier nanos;
  private final AtomicInteger turn = new AtomicInteger();

  @GuardedBy("this")
  private int failures;

  @GuardedBy("this")
  private long pausedNanos;

  /**
   * Connections to a DN.
   *
   * @param boundMillis for a view
   * @param nanos monotonic time
   */
  ReplicaConnector(DnId dn, AgentConnector connector, long boundMillis, LongSupplier nanos) {
    this.dn = dn;
    this.connector = connector;
    this.views = new RemoteViews(connector, boundMillis);
    this.nanos = nanos;
  }

  /** Whether somebody follows who answers, as far as is known. */
  boolean isPromising() {
    return !connector.seeker().alone() && !isPaused();
  }

  private synchronized boolean isPaused() {
    return failures > 0
        && nanos.getAsLong() - pausedNanos
            < FIRST_PAUSE_NANOS << Math.min(failures - 1, MOST_DOUBLINGS);
  }

  private synchronized void failed() {
    if (!isPaused()) {
      failures++;
      pausedNanos = nanos.getAsLong();
    }
  }

  private synchronized void succeeded() {
    failures = 0;
  }

  @Override
  public void open(
      EventLoop loop, BackendAccount account, PipelinedBranch.Home home, BranchTaker taker) {
    List<InetSocketAddress> followers = connector.seeker().followers();
    if (followers.isEmpty()) {
      failed();
      taker.refused(new AlraiException(ErrorCode.ALRAI_NODE_UNAVAILABLE, "nobody follows " + dn));
      return;
    }
    connector.openReplica(
        loop,
        followers.get(Math.floorMod(turn.getAndIncrement(), followers.size())),
        home,
        new BranchTaker() {
          @Override
          public void taken(Branch branch) {
            taker.taken(branch);
          }

          @Override
          public void refused(AlraiException reason) {
            failed();
            taker.refused(reason);
          }
        });
  }

  @Override
  public long downNanos(PoolLimits limits) {
    return 0;
  }

  @Override
  public CompletableFuture<Opening> open(
      Branch branch, HlcTimestamp at, String opening, String undo, boolean again) {
    return views
        .open(branch, at, opening, undo, again)
        .whenComplete((opened, error) -> {
          if (error == null) {
            succeeded();
          } else {
            failed();
          }
        });
  }

  @Override
  public long visibleStamp() {
    return 0;
  }
}
