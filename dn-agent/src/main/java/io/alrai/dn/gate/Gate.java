package io.alrai.dn.gate;

import io.alrai.common.error.AlraiException;
import io.alrai.common.id.TransactionId;
import io.alrai.common.time.HlcTimestamp;
import io.alrai.dn.binlog.BinlogPosition;
import io.alrai.dn.clock.NodeClock;
import io.alrai.dn.gate.Effect.Snapshot;
import io.alrai.dn.link.PushAnswer;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.Predicate;

/**
 * Decides when each commit of one DN becomes visible, which stamp it has, and at which position of
 * the binlog a view at a snapshot S is opened. A state machine without I/O, wall time or threads:
 * call it from one thread at a time; it hands its effects out before a method returns, in the order
 * in which they are to be done. The receiver must not call back.
 *
 * <p>The way of an OPEN(S):
 *
 * <pre>
 *  open --(fence > S)--> Refused
 *    |
 *    v
 *  WAITING  pushes are asked for; what must be in is submitted; arrivals are stamped <= S;
 *    |  |   no decided commit > S is submitted
 *    |  +---(fence > S, or a dependency above S, or no possible cut)--> Refused
 *    |  everything that must be in has arrived
 *    v
 *  HELD at the cut: ACKs go up to it, not beyond; arrivals are stamped > S
 *    |  |   cutStuck: back to WAITING
 *    |  viewsOpened
 *    v
 *  Opened; ACKs go on
 * </pre>
 *
 * <p>Invariants, for every snapshot S that had its cut at position c:
 *
 * <ol>
 *   <li>every commit that ends at or before c has a stamp at or below S;
 *   <li>every commit that ends after c has a stamp above S;
 *   <li>from the Ack of c until viewsOpened nothing after c is acknowledged;
 *   <li>a branch prepared here which is not committed at c commits above S, if at all: its prepare
 *       timestamp is above S, or its primary has promised it;
 *   <li>nothing is acknowledged that has not arrived, is not durable, or has no stamp;
 *   <li>waiting is only ever for answers and for what the mysqld is doing already, never for an
 *       undecided transaction, so that OPENs on two DNs cannot wait for each other.
 * </ol>
 *
 * <p>A gate lives as long as both its agent and its mysqld: after the loss of either a new one
 * begins, with the same clock. A gate that has thrown an IllegalStateException must be replaced.
 */
public final class Gate {
  private final NodeClock clock;
  private final Consumer<Effect> effects;
  private final GateRules rules;
  private final Fence fence;
  private final StreamTail tail;
  private final PreparedSet prepared;
  private final Decisions decisions;
  private final WaitingOpens waiting = new WaitingOpens();
  private final Durability durable;
  private boolean recovered;

  /** OPENs that came before {@link #recovered}; they do not affect stamps until then. */
  private final List<Snapshot> early = new ArrayList<>();

  private final Cut cut;
  private final Withheld withheld;

  /**
   * A gate. It stamps and acknowledges at once; views are opened after {@link #recovered}.
   *
   * @param clock above everything that a former gate of this DN stamped or opened
   * @param start the stream begins after this position; all up to it is visible
   * @param effects takes what is to be done
   */
  public Gate(NodeClock clock, BinlogPosition start, Consumer<Effect> effects) {
    this(clock, start, effects, new GateRules());
  }

  Gate(NodeClock clock, BinlogPosition start, Consumer<Effect> effects, GateRules rules) {
    this.clock = clock;
    this.effects = effects;
    this.rules = rules;
    HlcTimestamp started = clock.advance();
    this.fence = new Fence(started);
    this.cut = new Cut(rules);
    this.tail = new StreamTail(start, rules);
    this.durable = new Durability(start);
    this.prepared = new PreparedSet(rules);
    this.decisions = new Decisions(rules, started);
    this.withheld = new Withheld(rules, clock, fence, decisions, prepared, effects);
  }

  /**
   * The branches that XA RECOVER lists. To be called once, when nothing from before the start is at
   * work in the mysqld any more: it has closed the former agent's connections, and what they
   * committed has arrived.
   */
  public void recovered(Collection<TransactionId> listed) {
    listed.forEach(prepared::found);
    recovered = true;
    early.forEach(this::open);
    early.clear();
    progress();
  }

  // The stream.

  /**
   * The next transaction of the stream.
   *
   * @param mayEndGroup whether it may be the last of its commit group; every last one must be
   *     marked
   */
  public void arrived(Arrival arrival, boolean mayEndGroup) {
    switch (arrival) {
      case Arrival.Plain plain -> addPlain(plain, plain.dependency(), mayEndGroup);
      case Arrival.Decision decision -> {
        clock.restoreAbove(decision.commitTs());
        add(decision, decision.commitTs(), mayEndGroup);
        decisions.arrived(decision.id(), decision.commitTs(), decision.end());
      }
      case Arrival.Tombstone tombstone -> {
        addPlain(tombstone, HlcTimestamp.ZERO, mayEndGroup);
        answer(decisions.failed(tombstone.id()));
      }
      case Arrival.XaPrepare prepare -> {
        tail.add(prepare.end(), mayEndGroup, HlcTimestamp.ZERO);
        prepared.found(prepare.id());
      }
      case Arrival.XaCommit commit -> {
        Optional<HlcTimestamp> commitTs = prepared.committed(commit.id(), commit.end());
        if (commitTs.isPresent()) {
          add(commit, commitTs.get(), mayEndGroup);
        } else {
          tail.addUnstamped(commit.end(), mayEndGroup, commit.id());
          effects.accept(new Effect.AskCommitTs(commit.id()));
        }
      }
      case Arrival.XaRollback rollback -> {
        tail.add(rollback.end(), mayEndGroup, HlcTimestamp.ZERO);
        prepared.gone(rollback.id());
      }
    }
    progress();
  }

  private void addPlain(Arrival arrival, HlcTimestamp dependency, boolean mayEndGroup) {
    HlcTimestamp stamp = plainStamp(dependency);
    stamped(arrival, stamp);
    tail.addStamped(arrival.end(), mayEndGroup, stamp, dependency);
  }

  private void add(Arrival arrival, HlcTimestamp stamp, boolean mayEndGroup) {
    stamped(arrival, stamp);
    tail.add(arrival.end(), mayEndGroup, stamp);
  }

  private HlcTimestamp plainStamp(HlcTimestamp dependency) {
    clock.restoreAbove(dependency);
    refuse(
        snapshot ->
            snapshot.at().compareTo(fence.cutThrough()) > 0
                && rules.dependsBeyond(dependency, snapshot.at()),
        dependency);
    HlcTimestamp advanced = clock.advance();
    return waiting
        .lowestAbove(fence.cutThrough())
        .map(lowest -> rules.stampBeforeCut(advanced, lowest))
        .orElse(advanced);
  }

  private void stamped(Arrival arrival, HlcTimestamp stamp) {
    if (stamp.compareTo(fence.cutThrough()) <= 0) {
      rules.passedBy(arrival, stamp, fence.cutThrough());
    }
    effects.accept(new Effect.Stamped(arrival.end(), stamp));
  }

  /** The timestamp of an XA COMMIT that was asked for by {@link Effect.AskCommitTs}. */
  public void commitTsKnown(TransactionId id, HlcTimestamp commitTs) {
    tail.stamp(id, commitTs)
        .ifPresent(end -> {
          clock.restoreAbove(commitTs);
          stamped(new Arrival.XaCommit(end, id), commitTs);
          durable.restamped(List.of(new Effect.Stamped(end, commitTs)), tail).ifPresent(effects);
          progress();
        });
  }

  /** Everything up to there is durable where it must be before it may become visible. */
  public void durable(BinlogPosition through) {
    if (durable.reached(through)) {
      progress();
    }
  }

  /** The stamps of {@link Effect.WriteStamps} are as durable as their transactions. */
  public void stampsWritten(long number) {
    durable.stampsWritten(number);
    progress();
  }

  /** All that ends at or before that position is visible; needed after {@link #cutStuck}. */
  public void visible(BinlogPosition through) {
    tail.visible(through);
    progress();
  }

  // Branches that are prepared here.

  /** XA PREPARE is about to be sent to the mysqld. */
  public void preparing(TransactionId id) {
    prepared.preparing(id);
  }

  /**
   * XA PREPARE was answered.
   *
   * @return the prepare timestamp for the coordinator
   */
  public HlcTimestamp prepared(TransactionId id) {
    HlcTimestamp prepareTs = clock.advance();
    prepared.prepared(id, prepareTs);
    return prepareTs;
  }

  /**
   * The branch was surely not prepared, or the mysqld does not know it any more; also after its XA
   * COMMIT or XA ROLLBACK, as a branch without changes leaves no trace in the log.
   */
  public void branchGone(TransactionId id) {
    prepared.gone(id);
    progress();
  }

  /** XA RECOVER does not list it, although it has been prepared, or about to be, for long. */
  public void notListed(TransactionId id) {
    prepared.notListed(id);
    progress();
  }

  /** The branch's transaction is aborted for good; its XA ROLLBACK may go to the mysqld. */
  public void rollingBack(TransactionId id) {
    prepared.rollingBack(id);
    progress();
  }

  /**
   * Its primary or its coordinator says that the branch's transaction is committed. {@link
   * Effect.SubmitXaCommit} follows, now or after a cut, unless it has been submitted before.
   */
  public void commitPrepared(TransactionId id, HlcTimestamp commitTs) {
    clock.restoreAbove(commitTs);
    prepared.decided(id, commitTs);
    progress();
  }

  // Transactions that are decided here.

  /**
   * A transaction's primary branch waits for its decision.
   *
   * @return the prepare timestamp for the coordinator
   */
  public HlcTimestamp preCommit(TransactionId id) {
    HlcTimestamp prepareTs = clock.advance();
    decisions.preCommitted(id, prepareTs);
    return prepareTs;
  }

  /**
   * The coordinator decides. {@link Effect.SubmitDecision} follows, now or after a cut, or {@link
   * Effect.RefuseDecision}.
   *
   * @param proposed the largest of all prepare timestamps
   * @throws AlraiException ALRAI_CLOCK_SKEW when that is too far ahead; nothing is changed
   */
  public void decide(TransactionId id, HlcTimestamp proposed) {
    clock.update(proposed);
    if (decisions.decide(id, proposed)) {
      progress();
    } else {
      effects.accept(new Effect.RefuseDecision(id));
    }
  }

  /** A decision that was submitted surely did not commit. */
  public void decisionFailed(TransactionId id) {
    answer(decisions.failed(id));
    progress();
  }

  /**
   * The coordinator rolled back, its connection is gone, or somebody with a prepared branch asks
   * after a silence: an undecided transaction cannot be decided any more.
   *
   * @return false when it is being decided, or is
   */
  public boolean giveUp(TransactionId id) {
    Decisions.GivenUp found = decisions.giveUp(id);
    if (found == Decisions.GivenUp.GONE_DECIDING) {
      effects.accept(new Effect.RefuseDecision(id));
    }
    return found != Decisions.GivenUp.AT_WORK;
  }

  /** Every participant has finished: the decision is forgotten. */
  public void forget(TransactionId id) {
    decisions.forget(id);
  }

  /**
   * Another DN wants a transaction above a snapshot; {@link Effect.AnswerPush} follows.
   *
   * @param prepareTs of the branch there; ZERO when it is not known
   * @throws AlraiException ALRAI_CLOCK_SKEW when the snapshot is too far ahead
   */
  public void push(PushId push, TransactionId id, HlcTimestamp prepareTs, HlcTimestamp above) {
    clock.update(above);
    switch (decisions.push(push, id, prepareTs, above)) {
      case Decisions.PushResult.Answered answered ->
          effects.accept(new Effect.AnswerPush(push, answered.answer()));
      case Decisions.PushResult.FromLog fromLog -> effects.accept(new Effect.Settle(id));
      case Decisions.PushResult.Later later -> {}
    }
  }

  /** The final outcome, by this DN's own log, that {@link Effect.Settle} asked for. */
  public void settled(TransactionId id, PushAnswer outcome) {
    answer(decisions.settled(id, outcome));
  }

  private void answer(List<Decisions.Answer> answers) {
    answers.forEach(a -> effects.accept(new Effect.AnswerPush(a.push(), a.answer())));
  }

  // Snapshots.

  /**
   * OPEN(S). {@link Effect.OpenViews} and {@link Effect.Opened} follow, or {@link Effect.Refused}.
   * The agent bounds the time with {@link #cancel}: while a snapshot waits, all that is stamped
   * here is stamped at or below it.
   *
   * @throws AlraiException ALRAI_CLOCK_SKEW when S is too far ahead; nothing is changed
   */
  public void open(OpenId id, HlcTimestamp at) {
    clock.update(at);
    Snapshot snapshot = new Snapshot(id, at);
    if (recovered) {
      open(snapshot);
    } else {
      early.add(snapshot);
    }
  }

  private void open(Snapshot snapshot) {
    HlcTimestamp at = snapshot.at();
    if (rules.refuses(fence.value(), at)) {
      effects.accept(new Effect.Refused(snapshot, clock.now()));
      return;
    }
    decisions.pushUndecided(at);
    waiting.add(snapshot);
    requestPushes(snapshot);
    progress();
  }

  /** Nobody waits for this OPEN any more. If its views are being opened already, that goes on. */
  public void cancel(OpenId id) {
    waiting.remove(id);
    early.removeIf(snapshot -> snapshot.id().equals(id));
    progress();
  }

  private void requestPushes(Snapshot snapshot) {
    for (PreparedSet.Wanted wanted : prepared.toPush(snapshot.at())) {
      effects.accept(
          new Effect.Push(wanted.id().primary(), wanted.id(), wanted.prepareTs(), snapshot.at()));
    }
  }

  /**
   * The answer to {@link Effect.Push}.
   *
   * @param above the snapshot it was asked with
   */
  public void pushAnswered(TransactionId id, HlcTimestamp above, PushAnswer answer) {
    switch (answer) {
      case PushAnswer.Above never -> prepared.pushed(id, above);
      case PushAnswer.Committed committed -> {
        if (prepared.contains(id)) {
          clock.restoreAbove(committed.commitTs());
          prepared.decided(id, committed.commitTs());
        }
      }
    }
    progress();
  }

  /** The views of a cut are open, or could not be opened: commits after it may become visible. */
  public void viewsOpened(long number) {
    List<Snapshot> snapshots = cut.opened(number);
    snapshots.forEach(snapshot -> effects.accept(new Effect.Opened(snapshot)));
    if (!snapshots.isEmpty()) {
      progress();
    }
  }

  /**
   * Everything up to the cut is acknowledged, but does not become visible within a few
   * milliseconds, and no view was opened: it is in the middle of a commit group. The snapshots wait
   * for the group's end, or until it is {@link #visible} after all; what arrived after the cut is
   * now before it, and is stamped anew.
   */
  public void cutStuck(long number) {
    List<Snapshot> snapshots = cut.giveUp(number, fence);
    if (snapshots.isEmpty()) {
      return;
    }
    snapshots.forEach(waiting::add);
    tail.groupGoesOn();
    List<Effect.Stamped> lowered =
        waiting.lowestAbove(fence.cutThrough()).map(tail::restamp).orElse(List.of());
    lowered.forEach(effects);
    durable.restamped(lowered, tail).ifPresent(effects);
    progress();
  }

  // What every change leads to.

  private void progress() {
    cut();
    acknowledge();
    refuse(snapshot -> rules.overtakes(fence.value(), snapshot.at()), fence.value());
    withheld.submit(waiting.lowest());
  }

  private void cut() {
    List<Snapshot> refused =
        cut.make(waiting, tail, fence, s -> prepared.settledFor(s) && decisions.settledFor(s));
    for (Snapshot impossible : refused) {
      effects.accept(new Effect.Refused(impossible, clock.now()));
    }
  }

  private void acknowledge() {
    if (tail.acknowledge(cut.limit(durable.limit()), fence)) {
      effects.accept(new Effect.Ack(tail.acked()));
      prepared.acknowledged(tail.acked());
      answer(decisions.acknowledged(tail.acked()));
    }
    cut.beginOpening(tail.acked()).ifPresent(effects);
  }

  private void refuse(Predicate<Snapshot> which, HlcTimestamp least) {
    for (Snapshot snapshot : waiting.take(which)) {
      effects.accept(new Effect.Refused(snapshot, Fence.max(least, clock.now())));
    }
  }

  // For metrics and SHOW.

  /** The largest stamp that a read of current rows may have seen here. */
  public HlcTimestamp visibleStamp() {
    return fence.visible();
  }

  /**
   * Whether a branch here is not finished: prepared or on the way to it, or its end is not
   * acknowledged and perhaps not listed by XA RECOVER any more.
   */
  public boolean holds(TransactionId id) {
    return prepared.contains(id);
  }

  /**
   * Whether no transaction over several DNs is at work here: then everything is visible that
   * anybody has seen of such transactions.
   */
  public boolean quiet() {
    return recovered && prepared.size() == 0 && decisions.isEmpty();
  }

  /** The branches that it {@link #holds}; a copy. */
  public Collection<TransactionId> preparedBranches() {
    return prepared.ids();
  }

  /** OPENs that wait for their cut. */
  public int waitingOpens() {
    return waiting.size() + early.size();
  }
}
