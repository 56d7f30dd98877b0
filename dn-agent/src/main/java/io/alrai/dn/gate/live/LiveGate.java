package io.alrai.dn.gate.live;

import io.alrai.common.error.AlraiException;
import io.alrai.common.error.ErrorCode;
import io.alrai.common.id.DnId;
import io.alrai.common.id.TransactionId;
import io.alrai.common.time.HlcTimestamp;
import io.alrai.dn.binlog.Acks;
import io.alrai.dn.binlog.BinlogPosition;
import io.alrai.dn.binlog.BinlogTransaction;
import io.alrai.dn.binlog.CommitGate;
import io.alrai.dn.binlog.GtidSet;
import io.alrai.dn.clock.NodeClock;
import io.alrai.dn.gate.Gate;
import io.alrai.dn.link.Branch;
import io.alrai.dn.link.CommitParticipant;
import io.alrai.dn.link.KeptReplies;
import io.alrai.dn.link.PushAnswer;
import io.alrai.dn.link.ReadWatch;
import io.alrai.dn.link.ReplyKey;
import io.alrai.dn.link.ViewOpener;
import io.alrai.dn.ship.SnapshotPlace;
import io.netty.channel.EventLoop;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.LongUnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * The gate of one DN: a new {@link Gate} for each life of the mysqld, on one event loop. Public
 * methods may be called from any thread, those of {@link CommitGate} on the loop only.
 */
public final class LiveGate implements CommitGate, ViewOpener, ReadWatch, KeptReplies {
  private final DnId dn;
  private final EventLoop loop;
  private final GateContext context;
  private @Nullable GateWork work;
  private volatile @Nullable GateLife life;
  private volatile long visibleStamp;
  private volatile boolean quiet;

  /** How many sessions have tables locked. */
  private final AtomicInteger suspended = new AtomicInteger();

  /** How often it ceased to be quiet; written on the loop only. */
  private volatile long disturbances;

  /**
   * What a gate needs besides its mysqld.
   *
   * @param clock this DN's
   * @param dependencies the stamp that a mysqld connection's commit depends on, by its number
   * @param participants of all DNs; may throw for one that is not known yet
   * @param passed takes every transaction that becomes visible, in order, on the loop
   * @param broken called when the gate must be replaced, and its mysqld with it
   * @param counts what it counts
   * @param log where transactions must be written before they become visible
   */
  public record GateContext(
      NodeClock clock,
      LongUnaryOperator dependencies,
      Function<DnId, CommitParticipant> participants,
      Passed passed,
      Runnable broken,
      GateCounts counts,
      CommitLog log) {}

  /** Takes what becomes visible. */
  public interface Passed {
    /** A life of the mysqld begins. */
    void begin(GtidSet visible, BinlogPosition start);

    /** The next transaction becomes visible. */
    void passed(BinlogTransaction transaction, HlcTimestamp stamp);

    /** All that has become visible by now, in all lives; the caller's own. */
    GtidSet visible();
  }

  /**
   * A gate without a mysqld.
   *
   * @param loop of the stream
   */
  public LiveGate(DnId dn, EventLoop loop, GateContext context) {
    this.dn = dn;
    this.loop = loop;
    this.context = context;
  }

  /** Says who does its work at the mysqld; before the first life. */
  public void works(GateWork by) {
    work = by;
  }

  // The stream.

  @Override
  public void attached(Acks acks, GtidSet visible, BinlogPosition start) {
    GateWork by = work;
    if (by == null) {
      throw new IllegalStateException("nobody works for the gate of " + dn);
    }
    end();
    GateLife next = new GateLife(dn, loop, context, by, acks, start, this::publish);
    by.lifeBegins(visible.copy(), start);
    context.passed().begin(visible, start);
    life = next;
    next.begin();
  }

  @Override
  public void received(BinlogTransaction transaction) {
    GateLife now = life;
    if (now != null) {
      now.received(transaction);
    }
  }

  @Override
  public void detached() {
    end();
  }

  private void end() {
    GateLife last = life;
    life = null;
    quiet = false;
    disturbances = disturbances + 1;
    if (last != null) {
      last.end();
    }
  }

  // Commits.

  /**
   * Calls the gate of the present life, on its loop, and does what follows from it.
   *
   * @return what the call returned or threw; ALRAI_NODE_UNAVAILABLE when the mysqld is down
   */
  public <T> CompletableFuture<T> with(Function<Gate, T> call) {
    CompletableFuture<T> done = new CompletableFuture<>();
    onLoop(
        now -> {
          T result;
          try {
            result = now.call(call);
          } catch (AlraiException refused) {
            done.completeExceptionally(refused);
            return;
          }
          done.complete(result);
        },
        done::completeExceptionally);
    return done;
  }

  /** Calls the gate without waiting for an answer; does nothing when the mysqld is down. */
  public void tell(Consumer<Gate> call) {
    with(gate -> {
      call.accept(gate);
      return true;
    });
  }

  /**
   * An XA COMMIT that the gate submitted has been answered.
   *
   * @param committed whether the mysqld said so: then it is visible. Else it may be, or become so
   */
  public void answered(TransactionId id, boolean committed) {
    answered(new Given(id, false), committed);
  }

  /** A decision that the gate submitted has been answered. */
  public void decisionAnswered(TransactionId id, boolean committed) {
    answered(new Given(id, true), committed);
  }

  private void answered(Given given, boolean committed) {
    onLoop(
        now -> now.answered(given, committed),
        down -> {
          // the life that it was given to has ended
        });
  }

  /** See {@link CommitParticipant#push}. */
  public CompletableFuture<PushAnswer> push(
      TransactionId id, HlcTimestamp prepareTs, HlcTimestamp above) {
    CompletableFuture<PushAnswer> done = new CompletableFuture<>();
    onLoop(now -> now.pushes().asked(id, prepareTs, above, done), done::completeExceptionally);
    return done;
  }

  /**
   * Settles what is committed at or below a timestamp, for those who follow the log. Fails with
   * ALRAI_NODE_UNAVAILABLE while the mysqld is down, or when a DN that must be asked does not
   * answer.
   *
   * @return at the wanted timestamp or above it
   */
  public CompletableFuture<Resolved> resolve(HlcTimestamp wanted) {
    CompletableFuture<Resolved> done = new CompletableFuture<>();
    onLoop(
        now -> now.resolves().ask(wanted, context.clock().now(), done),
        done::completeExceptionally);
    return done;
  }

  /**
   * Where a snapshot is in the log, for those who show it elsewhere: a cut as for a view, without
   * one. Fails with ALRAI_NODE_UNAVAILABLE as {@link #resolve} does.
   */
  public CompletableFuture<SnapshotPlace> place(HlcTimestamp at) {
    CompletableFuture<SnapshotPlace> done = new CompletableFuture<>();
    onLoop(now -> now.resolves().place(at, done), done::completeExceptionally);
    return done;
  }

  /** Names the present life of the mysqld; null between two of them. */
  public @Nullable Object life() {
    return life;
  }

  // Views.

  @Override
  public CompletableFuture<Opening> open(
      Branch branch, HlcTimestamp at, String opening, String undo, boolean again) {
    return open(branch, at, opening, undo, again, () -> {});
  }

  @Override
  public CompletableFuture<Opening> open(
      Branch branch,
      HlcTimestamp at,
      String opening,
      String undo,
      boolean again,
      Runnable follower) {
    ViewCall call =
        new ViewCall(branch, at, opening, undo, again, follower, loop.ticker().nanoTime());
    onLoop(now -> now.views().open(call), call::fail);
    return call.done();
  }

  @Override
  public long visibleStamp() {
    return visibleStamp;
  }

  @Override
  public long quiet() {
    long mark = disturbances;
    return quiet ? mark : -1;
  }

  @Override
  public boolean undisturbed(long mark) {
    return disturbances == mark;
  }

  // Replies that are kept.

  @Override
  public int find(ReplyKey read, long shown, byte[] into) {
    GateLife now = life;
    if (now == null || suspended.get() > 0) {
      return NOT_NOW;
    }
    if (shown != CURRENT) {
      return now.rows().find(read, shown, into);
    }
    long mark = quiet();
    int length = mark < 0 ? NOT_NOW : now.rows().find(read, shown, into);
    return undisturbed(mark) ? length : NOT_NOW;
  }

  @Override
  public long visible() {
    GateLife now = life;
    return now == null ? NOWHERE : now.rows().visible();
  }

  @Override
  public void keep(ReplyKey read, long shown, byte[] reply, int length) {
    GateLife now = life;
    if (now != null) {
      now.rows().keep(read, shown, reply, length);
    }
  }

  @Override
  public CompletableFuture<Void> suspend(Branch locking) {
    suspended.incrementAndGet();
    return CompletableFuture.completedFuture(null);
  }

  @Override
  public void resume(Branch locking) {
    suspended.decrementAndGet();
  }

  /** On the loop, before anything that follows from a call of the gate is done. */
  private void publish(GateLife of) {
    visibleStamp = of.gate().visibleStamp().value();
    boolean now = of.quiet();
    if (quiet && !now) {
      disturbances = disturbances + 1;
    }
    quiet = now;
  }

  private void onLoop(Consumer<GateLife> action, Consumer<AlraiException> failing) {
    if (loop.inEventLoop()) {
      inLife(action, failing);
      return;
    }
    try {
      loop.execute(() -> inLife(action, failing));
    } catch (RejectedExecutionException stopping) {
      failing.accept(
          new AlraiException(ErrorCode.ER_SERVER_SHUTDOWN, "the agent is stopping", stopping));
    }
  }

  private void inLife(Consumer<GateLife> action, Consumer<AlraiException> failing) {
    GateLife now = life;
    if (now == null) {
      failing.accept(down(dn));
    } else {
      action.accept(now);
    }
  }

  static AlraiException down(DnId dn) {
    return new AlraiException(ErrorCode.ALRAI_NODE_UNAVAILABLE, "the mysqld of " + dn + " is down");
  }
}
