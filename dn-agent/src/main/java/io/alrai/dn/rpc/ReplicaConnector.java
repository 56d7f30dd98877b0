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
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.LongSupplier;

/**
 * Opens connections to the mysqlds of members that follow, in turns, and views there. Nobody waits
 * for long: what cannot be read there is read at the leader. After a failure nobody tries for a
 * while, which doubles with each: any of them where no view could be opened, and the one that takes
 * no connection. Thread-safe.
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
  private Pause all = Pause.NONE;

  /** Of members that take no connections. */
  @GuardedBy("this")
  private final Map<InetSocketAddress, Pause> single = new HashMap<>();

  private record Pause(int failures, long sinceNanos) {
    static final Pause NONE = new Pause(0, 0);

    boolean goesOn(long now) {
      return failures > 0
          && now - sinceNanos < FIRST_PAUSE_NANOS << Math.min(failures - 1, MOST_DOUBLINGS);
    }

    Pause longer(long now) {
      return goesOn(now) ? this : new Pause(failures + 1, now);
    }
  }

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
    return !able().isEmpty();
  }

  private synchronized List<InetSocketAddress> able() {
    long now = nanos.getAsLong();
    List<InetSocketAddress> able = new ArrayList<>();
    if (!all.goesOn(now)) {
      for (InetSocketAddress place : connector.seeker().followers()) {
        if (!single.getOrDefault(place, Pause.NONE).goesOn(now)) {
          able.add(place);
        }
      }
    }
    return able;
  }

  private synchronized void failed() {
    all = all.longer(nanos.getAsLong());
  }

  private synchronized void failed(InetSocketAddress place) {
    single.put(place, single.getOrDefault(place, Pause.NONE).longer(nanos.getAsLong()));
  }

  private synchronized void succeeded() {
    all = Pause.NONE;
  }

  private synchronized void succeeded(InetSocketAddress place) {
    single.remove(place);
  }

  @Override
  public void open(
      EventLoop loop, BackendAccount account, PipelinedBranch.Home home, BranchTaker taker) {
    List<InetSocketAddress> able = able();
    if (able.isEmpty()) {
      taker.refused(
          new AlraiException(ErrorCode.ALRAI_NODE_UNAVAILABLE, "nobody serves reads of " + dn));
      return;
    }
    InetSocketAddress place = able.get(Math.floorMod(turn.getAndIncrement(), able.size()));
    connector.openReplica(
        loop,
        place,
        home,
        new BranchTaker() {
          @Override
          public void taken(Branch branch) {
            succeeded(place);
            taker.taken(branch);
          }

          @Override
          public void refused(AlraiException reason) {
            failed(place);
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
