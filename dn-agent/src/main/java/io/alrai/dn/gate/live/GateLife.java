package io.alrai.dn.gate.live;

import io.alrai.common.error.AlraiException;
import io.alrai.common.id.DnId;
import io.alrai.common.id.TransactionId;
import io.alrai.common.time.HlcTimestamp;
import io.alrai.dn.binlog.Acks;
import io.alrai.dn.binlog.BinlogPosition;
import io.alrai.dn.binlog.BinlogTransaction;
import io.alrai.dn.binlog.Gtid;
import io.alrai.dn.binlog.GtidSet;
import io.alrai.dn.binlog.TransactionKind;
import io.alrai.dn.binlog.Xid;
import io.alrai.dn.gate.Arrival;
import io.alrai.dn.gate.Effect;
import io.alrai.dn.gate.Gate;
import io.alrai.dn.gate.live.LiveGate.GateContext;
import io.alrai.dn.link.CommitParticipant.Outcome;
import io.alrai.dn.link.XaName;
import io.alrai.dn.rows.RowCache;
import io.netty.channel.EventLoop;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.function.Function;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One life of a mysqld with its gate. On the gate's loop only.
 *
 * <p>The gate hands its effects out while a call is at work; they are carried out after the call,
 * in order, and whatever they cause directly comes after them.
 */
final class GateLife implements CommitLog.Written {
  private static final Logger log = LoggerFactory.getLogger(GateLife.class);
  private static final long ASK_AGAIN_MILLIS = 20;

  private final DnId dn;
  private final EventLoop loop;
  private final GateContext context;
  private final GateWork work;
  private final Acks acks;
  private final Consumer<GateLife> published;
  private final Gate gate;
  private final Queue<Effect> effects = new ArrayDeque<>();
  private final Queue<BinlogTransaction> waiting = new ArrayDeque<>();
  private final Map<BinlogPosition, HlcTimestamp> stamps = new HashMap<>();

  /**
   * Given to the mysqld; they may be acknowledged, but are visible only when they have been
   * answered.
   */
  private final Set<Given> unanswered = new HashSet<>();

  private final Pushes pushes;
  private final Views views;
  private final Resolves resolves;
  private final KeptRows rows;
  private boolean working;
  private boolean ended;

  /** Its state cannot be trusted any more: nothing becomes visible until its mysqld has died. */
  private boolean broken;

  GateLife(
      DnId dn,
      EventLoop loop,
      GateContext context,
      GateWork work,
      Acks acks,
      BinlogPosition start,
      Consumer<GateLife> published) {
    this.dn = dn;
    this.loop = loop;
    this.context = context;
    this.work = work;
    this.acks = acks;
    this.published = published;
    this.gate = new Gate(context.clock(), start, effects::add);
    this.pushes = new Pushes(this, context.participants(), context.counts());
    this.views = new Views(this, work, context.counts());
    this.resolves = new Resolves(this);
    this.rows = new KeptRows(this, work, start, context.counts());
  }

  DnId dn() {
    return dn;
  }

  Gate gate() {
    return gate;
  }

  Pushes pushes() {
    return pushes;
  }

  Views views() {
    return views;
  }

  Resolves resolves() {
    return resolves;
  }

  RowCache rows() {
    return rows.cache();
  }

  GateWork work() {
    return work;
  }

  /** All that was acknowledged, in all lives. */
  GtidSet visible() {
    return context.passed().visible();
  }

  /** Whether all that was committed over several DNs is visible, and nothing is on its way. */
  boolean quiet() {
    return unanswered.isEmpty() && gate.quiet();
  }

  void answered(Given given, boolean committed) {
    if (unanswered.remove(given)) {
      views.answered(given, committed);
      published.accept(this);
    }
  }

  // Life and death.

  void begin() {
    context.log().begins(this);
    published.accept(this);
    views.begin();
    resolves.begin();
    recover();
  }

  /** Nothing of an earlier life is at work in a mysqld that has just been started. */
  private void recover() {
    work.recover()
        .whenComplete((listed, error) -> {
          if (error == null) {
            onLoop(() -> tell(g -> g.recovered(listed)));
          } else {
            later(this::recover);
          }
        });
  }

  void end() {
    ended = true;
    context.log().ends();
    AlraiException down = LiveGate.down(dn);
    pushes.end(down);
    views.end(down);
    resolves.end(down);
    work.lifeEnded();
  }

  boolean ended() {
    return ended;
  }

  /** Monotonic time, by the loop. */
  long nanos() {
    return loop.ticker().nanoTime();
  }

  /** Runs an action on the gate's loop, unless this life has ended. */
  void onLoop(Runnable action) {
    if (loop.inEventLoop()) {
      ifAlive(action);
    } else {
      loop.execute(() -> ifAlive(action));
    }
  }

  private void ifAlive(Runnable action) {
    if (ended || broken) {
      return;
    }
    try {
      action.run();
    } catch (AlraiException refused) {
      throw refused;
    } catch (RuntimeException defect) {
      breakDown(defect);
    }
  }

  /** Runs an action after the current one, unless this life has ended. */
  void soon(Runnable action) {
    loop.execute(() -> ifAlive(action));
  }

  /** Runs an action after a short pause, unless this life has ended. */
  void later(Runnable action) {
    after(ASK_AGAIN_MILLIS, action);
  }

  void after(long millis, Runnable action) {
    if (!loop.isShuttingDown()) {
      loop.schedule(() -> ifAlive(action), millis, TimeUnit.MILLISECONDS);
    }
  }

  // Calls.

  /**
   * Calls the gate and does what follows. A call that the gate refuses with an {@link
   * AlraiException} has changed nothing; whatever else is thrown may have come in the middle, as
   * from a clock whose disk is full, and ends this gate.
   */
  <T> T call(Function<Gate, T> action) {
    if (broken) {
      throw LiveGate.down(dn);
    }
    T result;
    try {
      result = action.apply(gate);
    } catch (AlraiException refused) {
      throw refused;
    } catch (RuntimeException defect) {
      breakDown(defect);
      throw LiveGate.down(dn);
    }
    try {
      perform();
    } catch (RuntimeException defect) {
      breakDown(defect);
      throw LiveGate.down(dn);
    }
    return result;
  }

  /**
   * What it has not let through is cut off when its mysqld is killed, and comes to the next gate or
   * never.
   */
  private void breakDown(RuntimeException reason) {
    if (broken || ended) {
      return;
    }
    broken = true;
    effects.clear();
    log.error("the gate of {} is broken: its mysqld is restarted", dn, reason);
    context.broken().run();
  }

  void tell(Consumer<Gate> action) {
    if (ended) {
      return;
    }
    call(g -> {
      action.accept(g);
      return true;
    });
  }

  // The stream.

  void received(BinlogTransaction transaction) {
    if (broken) {
      return;
    }
    try {
      waiting.add(transaction);
      work.logged(transaction);
      rows().arrived(transaction);
      Arrival arrival = arrival(transaction);
      boolean ownLog = context.log().ownLog();
      tell(g -> {
        if (ownLog) {
          g.durable(transaction.end());
        }
        g.arrived(arrival, transaction.mayEndGroup());
        if (!ownLog) {
          context.log().append(transaction, givenStamp(transaction.end()));
        }
      });
    } catch (RuntimeException defect) {
      // a transaction that was not taken in would be let through with the next one, without a stamp
      breakDown(defect);
    }
  }

  /** The stamp that the gate has just given, and that is among its effects. */
  private HlcTimestamp givenStamp(BinlogPosition end) {
    HlcTimestamp stamp = HlcTimestamp.ZERO;
    for (Effect effect : effects) {
      if (effect instanceof Effect.Stamped stamped && stamped.end().equals(end)) {
        stamp = stamped.stamp();
      }
    }
    return stamp;
  }

  @Override
  public void durable(BinlogPosition through) {
    ifAlive(() -> tell(g -> g.durable(through)));
  }

  @Override
  public void stamps(long number) {
    ifAlive(() -> tell(g -> g.stampsWritten(number)));
  }

  private void writeStamps(Effect.WriteStamps late) {
    if (context.log().ownLog()) {
      tell(g -> g.stampsWritten(late.number()));
      return;
    }
    Map<BinlogPosition, Gtid> names = new HashMap<>();
    waiting.forEach(transaction -> names.put(transaction.end(), transaction.gtid()));
    List<CommitLog.Restamp> all = new ArrayList<>();
    for (Effect.Stamped one : late.stamps()) {
      all.add(new CommitLog.Restamp(Objects.requireNonNull(names.get(one.end())), one.stamp()));
    }
    context.log().restamped(late.number(), all);
  }

  private Arrival arrival(BinlogTransaction transaction) {
    BinlogPosition end = transaction.end();
    return switch (transaction.kind()) {
      case TransactionKind.Decision d -> new Arrival.Decision(end, d.id(), d.commitTs());
      case TransactionKind.Tombstone t -> new Arrival.Tombstone(end, t.id());
      case TransactionKind.XaPrepare p ->
          own(p.xid())
              .<Arrival>map(id -> new Arrival.XaPrepare(end, id))
              .orElseGet(() -> plain(transaction));
      case TransactionKind.XaCommit c ->
          own(c.xid())
              .<Arrival>map(id -> new Arrival.XaCommit(end, id))
              .orElseGet(() -> plain(transaction));
      case TransactionKind.XaRollback r ->
          own(r.xid())
              .<Arrival>map(id -> new Arrival.XaRollback(end, id))
              .orElseGet(() -> plain(transaction));
      case TransactionKind.Commit c -> plain(transaction);
      case TransactionKind.OnePhase o -> plain(transaction);
      case TransactionKind.Statement s -> plain(transaction);
    };
  }

  private Optional<TransactionId> own(Xid xid) {
    return XaName.own(xid.format(), xid.gtrid(), xid.bqual(), dn);
  }

  private Arrival plain(BinlogTransaction transaction) {
    long dependency = context.dependencies().applyAsLong(transaction.connectionId());
    return new Arrival.Plain(transaction.end(), new HlcTimestamp(dependency));
  }

  // Effects.

  private void perform() {
    // before anything more becomes visible
    published.accept(this);
    if (working) {
      return;
    }
    working = true;
    try {
      Effect effect;
      while ((effect = effects.poll()) != null) {
        perform(effect);
      }
    } finally {
      working = false;
    }
  }

  private void perform(Effect effect) {
    switch (effect) {
      case Effect.Ack ack -> acknowledge(ack.through());
      case Effect.Stamped stamped -> stamps.put(stamped.end(), stamped.stamp());
      case Effect.WriteStamps late -> writeStamps(late);
      case Effect.Push push -> pushes.send(push);
      case Effect.AnswerPush answer -> pushes.answer(answer.push(), answer.answer());
      case Effect.Settle settle -> pushes.settle(settle.id());
      case Effect.AskCommitTs ask -> askCommitTs(ask.id());
      case Effect.SubmitDecision submit -> {
        unanswered.add(new Given(submit.id(), true));
        work.submitDecision(submit.id(), submit.commitTs());
      }
      case Effect.RefuseDecision refuse -> work.refuseDecision(refuse.id());
      case Effect.SubmitXaCommit submit -> {
        unanswered.add(new Given(submit.id(), false));
        work.submitXaCommit(submit.id());
      }
      case Effect.OpenViews open -> {
        resolves.cut(open);
        views.open(open);
      }
      case Effect.Opened opened -> {
        resolves.opened(opened.snapshot());
        views.opened(opened.snapshot());
      }
      case Effect.Refused refused -> {
        resolves.refused(refused.snapshot(), refused.hint());
        views.refused(refused.snapshot(), refused.hint());
      }
    }
  }

  private void acknowledge(BinlogPosition through) {
    acks.ack(through);
    BinlogTransaction next;
    while ((next = waiting.peek()) != null && next.end().compareTo(through) <= 0) {
      waiting.remove();
      context.counts().transactions().increment();
      HlcTimestamp stamp = stamps.remove(next.end());
      work.letThrough(next);
      acknowledged(next);
      context.passed().passed(next, stamp == null ? HlcTimestamp.ZERO : stamp);
    }
  }

  /** No view waits for what changes no row that it shows. */
  private void acknowledged(BinlogTransaction transaction) {
    switch (transaction.kind()) {
      case TransactionKind.XaPrepare p -> {}
      case TransactionKind.XaRollback r -> {}
      case TransactionKind.Decision d ->
          views.acknowledged(transaction, toBeAnswered(new Given(d.id(), true)));
      case TransactionKind.XaCommit c ->
          views.acknowledged(
              transaction, own(c.xid()).flatMap(id -> toBeAnswered(new Given(id, false))));
      case TransactionKind.Commit c -> views.acknowledged(transaction, Optional.empty());
      case TransactionKind.OnePhase o -> views.acknowledged(transaction, Optional.empty());
      case TransactionKind.Statement s -> views.acknowledged(transaction, Optional.empty());
      case TransactionKind.Tombstone t -> views.acknowledged(transaction, Optional.empty());
    }
  }

  private Optional<Given> toBeAnswered(Given given) {
    return unanswered.contains(given) ? Optional.of(given) : Optional.empty();
  }

  /** An XA COMMIT that did not go through this gate: the primary knows its timestamp. */
  private void askCommitTs(TransactionId id) {
    CompletableFuture<Outcome> asked;
    try {
      asked = context.participants().apply(id.primary()).outcome(id);
    } catch (AlraiException unknown) {
      asked = CompletableFuture.failedFuture(unknown);
    }
    asked.whenComplete((outcome, error) ->
        onLoop(() -> {
          switch (outcome) {
            case Outcome.Committed committed ->
                tell(g -> g.commitTsKnown(id, committed.commitTs()));
            case Outcome.RolledBack gone -> {
              log.error("{}: {} was committed past Alrai, which rolled it back", dn, id.gtrid());
              tell(g -> g.commitTsKnown(id, context.clock().advance()));
            }
            case null -> later(() -> askCommitTs(id));
            case Outcome.InDoubt _, Outcome.Clients _ -> later(() -> askCommitTs(id));
          }
        }));
  }
}
