package io.alrai.dn.backend;

import io.alrai.dn.link.BackendAccount;
import io.netty.channel.EventLoop;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/**
 * The pools of one event loop to one mysqld, one for each account: together they open no more
 * connections than the loop may have. The request that has waited longest gets the next one, if
 * need be in exchange for an idle one of another account. Event loop only.
 */
final class LoopPools {
  private final EventLoop loop;
  private final BackendConnector connector;
  private final PoolLimits limits;
  private final int most;
  private final AtomicInteger schemaEra;
  private final LinkCounts counts;
  private final List<BranchPool> pools = new ArrayList<>();
  private final SilentReplies silent;
  private int open;
  private int leaving;
  private boolean closed;

  /** Pools that may open {@code most} connections together. */
  LoopPools(
      EventLoop loop,
      BackendConnector connector,
      PoolLimits limits,
      int most,
      AtomicInteger schemaEra,
      LinkCounts counts) {
    this.loop = loop;
    this.silent =
        new SilentReplies(
            loop,
            new MysqldInquiry(loop, connector),
            counts.lostReplies(),
            loop.ticker()::nanoTime);
    this.connector = connector;
    this.limits = limits;
    this.most = most;
    this.schemaEra = schemaEra;
    this.counts = counts;
  }

  /** The pool of an account. */
  BranchPool of(BackendAccount account) {
    for (BranchPool pool : pools) {
      if (pool.account() == account) {
        return pool;
      }
    }
    BranchPool made = new BranchPool(loop, account, connector, limits, this, schemaEra, counts);
    pools.add(made);
    if (closed) {
      made.close();
    }
    return made;
  }

  /** What is due on their connections. */
  SilentReplies silent() {
    return silent;
  }

  /** How many more may be opened. */
  int room() {
    return most - open;
  }

  void opened() {
    open++;
    counts.open().incrementAndGet();
  }

  /** One could not be opened. */
  void refused() {
    open--;
    counts.open().decrementAndGet();
  }

  /** One is gone: whoever has waited longest may open another. */
  void gone() {
    refused();
    leaving = Math.max(0, leaving - 1);
    BranchPool next = longestWaiting();
    if (next != null && room() > 0) {
      next.open();
    }
  }

  /** Ends an idle one of another account; its place is free when it is gone. */
  void makeRoom(BranchPool wanting) {
    for (BranchPool pool : pools) {
      if (pool != wanting && pool.endIdle()) {
        leaving++;
        return;
      }
    }
  }

  /**
   * Whether a branch that this pool has back must end, as another account's waiter has waited
   * longer than any of this one's.
   */
  boolean othersFirst(BranchPool pool) {
    if (room() > 0 || leaving > 0) {
      return false;
    }
    BranchPool first = longestWaiting();
    if (first == null || first == pool) {
      return false;
    }
    leaving++;
    return true;
  }

  private @Nullable BranchPool longestWaiting() {
    BranchPool longest = null;
    for (BranchPool pool : pools) {
      if (pool.waits() && (longest == null || pool.waitsLongerThan(longest))) {
        longest = pool;
      }
    }
    return longest;
  }

  /** Closes idle connections. Requests are refused from now on, also those that wait. */
  void close() {
    closed = true;
    pools.forEach(BranchPool::close);
  }
}
