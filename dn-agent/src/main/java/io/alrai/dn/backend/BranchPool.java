package io.alrai.dn.backend;

import io.alrai.common.error.AlraiException;
import io.alrai.common.error.ErrorCode;
import io.alrai.common.error.ErrorKind;
import io.alrai.dn.link.BackendAccount;
import io.alrai.dn.link.Branch;
import io.alrai.dn.link.BranchState;
import io.alrai.dn.link.BranchTaker;
import io.alrai.dn.link.Unfit;
import io.netty.channel.EventLoop;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The branches of one event loop to one mysqld under one account, see {@link LoopPools}. A request
 * waits in line while all are busy, and while the mysqld is down, until it is back. Both waits are
 * bounded. Event loop only.
 */
final class BranchPool implements PipelinedBranch.Home {
  private static final Logger log = LoggerFactory.getLogger(BranchPool.class);
  private static final int RECONNECT_MILLIS = 50;

  /** How often it is looked whose time is up, and whether there is room for more connections. */
  private static final int WAITERS_MILLIS = 200;

  /**
   * How often transactions are ended that nobody needs any more and nobody has ended on the way
   * since the last time.
   */
  private static final int VIEW_MILLIS = 10;

  private static final int BY_SCHEMA = 1;
  private static final int BY_SETTINGS = 2;
  private static final int BY_BOTH = BY_SCHEMA + BY_SETTINGS;

  private final EventLoop loop;
  private final BackendAccount account;
  private final BackendConnector connector;
  private final PoolLimits limits;
  private final LoopPools siblings;
  private final AtomicInteger schemaEra;
  private final LinkCounts counts;
  private final List<PipelinedBranch> idle = new ArrayList<>();
  private final ArrayDeque<Waiter> waiters = new ArrayDeque<>();
  private int opening;
  private boolean retrying;
  private boolean watching;
  private boolean endingViews;
  private boolean closed;

  /**
   * A request that waits.
   *
   * @param inAnySchema see {@link #inAnySchema}
   */
  private record Waiter(BranchTaker taker, long sinceNanos, boolean inAnySchema) {}

  BranchPool(
      EventLoop loop,
      BackendAccount account,
      BackendConnector connector,
      PoolLimits limits,
      LoopPools siblings,
      AtomicInteger schemaEra,
      LinkCounts counts) {
    this.loop = loop;
    this.account = account;
    this.connector = connector;
    this.limits = limits;
    this.siblings = siblings;
    this.schemaEra = schemaEra;
    this.counts = counts;
  }

  void take(String schema, @Nullable Object settings, BranchTaker taker) {
    PipelinedBranch branch = fromIdle(schema, settings);
    if (branch != null) {
      branch.lend();
      taker.taken(branch);
      return;
    }
    if (closed) {
      taker.refused(
          new AlraiException(ErrorCode.ER_SERVER_SHUTDOWN, "Server shutdown in progress"));
      return;
    }
    waiters.add(new Waiter(taker, loop.ticker().nanoTime(), inAnySchema(schema)));
    if (!watching) {
      watchWaiters();
    }
    if (siblings.room() > 0) {
      open();
    } else {
      siblings.makeRoom(this);
    }
  }

  BackendAccount account() {
    return account;
  }

  /** Whether somebody waits for whom no connection is being opened yet. */
  boolean waits() {
    return !closed && waiters.size() > opening;
  }

  /** Of two pools that wait. */
  boolean waitsLongerThan(BranchPool other) {
    Waiter mine = waiters.peek();
    Waiter theirs = other.waiters.peek();
    return mine != null && theirs != null && mine.sinceNanos - theirs.sinceNanos < 0;
  }

  /** Ends an idle one if there is any. */
  boolean endIdle() {
    if (idle.isEmpty()) {
      return false;
    }
    idle.removeFirst().close();
    return true;
  }

  /**
   * The one that was given back last, of those with the settings and in the schema; then one with
   * the settings, as another schema is chosen in the same write as the statement, but a statement
   * waits for other settings; then one in the schema. Where none is there, the one that was given
   * back first, so that the others keep theirs. A client's statement that needs no schema gets none
   * whose schema may be gone, see {@link BranchState#schemaMayBeGone}: it goes instead.
   *
   * @param schema empty for any
   * @param settings compared by identity; null for any
   */
  private @Nullable PipelinedBranch fromIdle(String schema, @Nullable Object settings) {
    boolean inAnySchema = inAnySchema(schema);
    PipelinedBranch found = null;
    int fits = 0;
    for (int i = idle.size() - 1; i >= 0; i--) {
      PipelinedBranch branch = idle.get(i);
      BranchState state = branch.state();
      state.schemasOf(schemaEra.get());
      if (!branch.alive()) {
        idle.remove(i);
        continue;
      }
      if (inAnySchema && state.schemaMayBeGone()) {
        continue;
      }
      int fit = fit(state, schema, settings);
      if (fit > fits || fit == BY_SETTINGS || (fit == 0 && fits == 0)) {
        found = branch;
        fits = fit;
      }
      if (fit == BY_BOTH) {
        break;
      }
    }
    if (found != null) {
      idle.remove(found);
    } else if (!idle.isEmpty()) {
      idle.removeFirst().close();
    }
    return found;
  }

  /** Whether a client's statement runs in whatever schema is current, which must be there then. */
  private boolean inAnySchema(String schema) {
    return schema.isEmpty() && account.ofClients();
  }

  @SuppressWarnings("ReferenceEquality") // the settings that were sent last
  private static int fit(BranchState state, String schema, @Nullable Object settings) {
    boolean bySchema = schema.isEmpty() || state.schema().equals(schema);
    if (settings == null) {
      return bySchema ? BY_BOTH : 0;
    }
    return (state.settings() == settings ? BY_SETTINGS : 0) + (bySchema ? BY_SCHEMA : 0);
  }

  /** Opens one more, for whoever waits. */
  void open() {
    opening++;
    siblings.opened();
    connector.open(
        loop,
        account,
        this,
        new BranchTaker() {
          @Override
          public void taken(Branch branch) {
            opening--;
            PipelinedBranch opened = (PipelinedBranch) branch;
            siblings.silent().opened(opened);
            opened.arrived();
            returned(opened);
          }

          @Override
          public void refused(AlraiException reason) {
            opening--;
            siblings.refused();
            connectFailed(reason);
          }
        });
  }

  private void connectFailed(AlraiException reason) {
    expireWaiters(reason, connector.downNanos(limits));
    if (reason.kind() == ErrorKind.USER) {
      Waiter waiter = waiters.peek();
      if (waiter != null) {
        ended(waiter);
        waiter.taker.refused(reason);
      }
    }
    if (!waiters.isEmpty() && !retrying) {
      retrying = true;
      loop.schedule(
          () -> {
            retrying = false;
            int missing = Math.min(waiters.size() - opening, siblings.room());
            for (int i = 0; i < missing; i++) {
              open();
            }
          },
          RECONNECT_MILLIS,
          TimeUnit.MILLISECONDS);
    }
  }

  private void watchWaiters() {
    watching = true;
    loop.schedule(
        () -> {
          watching = false;
          expireWaiters(expiry(), limits.waitNanos());
          while (waits() && siblings.room() > 0) {
            open();
          }
          if (!waiters.isEmpty()) {
            watchWaiters();
          }
        },
        WAITERS_MILLIS,
        TimeUnit.MILLISECONDS);
  }

  private AlraiException expiry() {
    return opening > 0 || retrying
        ? new AlraiException(
            ErrorCode.ALRAI_NODE_UNAVAILABLE, "no connection to the mysqld could be opened in time")
        : new AlraiException(
            ErrorCode.ER_CON_COUNT_ERROR,
            "Too many statements at work: all backend connections are busy");
  }

  private void expireWaiters(AlraiException reason, long waitNanos) {
    long now = loop.ticker().nanoTime();
    Waiter first;
    while ((first = waiters.peek()) != null && (closed || now - first.sinceNanos > waitNanos)) {
      ended(first);
      first.taker.refused(reason);
    }
  }

  /** The first one waits no more. */
  private void ended(Waiter first) {
    waiters.remove();
    counts.waits().record(loop.ticker().nanoTime() - first.sinceNanos);
  }

  @Override
  public void returned(PipelinedBranch branch) {
    if (closed || !branch.alive() || siblings.othersFirst(this)) {
      branch.close();
      return;
    }
    Waiter waiter = waiters.peek();
    if (waiter != null) {
      branch.state().schemasOf(schemaEra.get());
      if (waiter.inAnySchema && branch.state().schemaMayBeGone()) {
        branch.close(); // another one is opened in its place
        return;
      }
      ended(waiter);
      branch.lend();
      waiter.taker.taken(branch);
    } else if (idle.size() < limits.idle(account.family())) {
      idle.add(branch);
      if (branch.viewed()) {
        endViewsLater();
      }
    } else {
      branch.close();
    }
  }

  @Override
  public void unfit(PipelinedBranch branch, Unfit reason) {
    counts.unfit().add(reason);
    log.warn(
        "connection {} to the mysqld of {} is closed, as it can serve nobody else: {}",
        branch.serverConnectionId(),
        branch.dn(),
        reason.label());
  }

  @Override
  public boolean keepsPrepared() {
    return true;
  }

  private void endViewsLater() {
    if (!endingViews) {
      endingViews = true;
      loop.schedule(this::endViews, VIEW_MILLIS, TimeUnit.MILLISECONDS);
    }
  }

  private void endViews() {
    endingViews = false;
    for (PipelinedBranch branch : List.copyOf(idle)) {
      if (!branch.endOldView()) {
        endViewsLater();
      }
    }
  }

  @Override
  public void lost(PipelinedBranch branch) {
    idle.remove(branch);
    siblings.silent().lost(branch);
    siblings.gone();
  }

  void close() {
    closed = true;
    for (PipelinedBranch branch : List.copyOf(idle)) {
      branch.close();
    }
    expireWaiters(
        new AlraiException(ErrorCode.ER_SERVER_SHUTDOWN, "Server shutdown in progress"), 0);
  }
}
