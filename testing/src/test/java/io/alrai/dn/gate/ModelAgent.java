package io.alrai.dn.gate;

import io.alrai.common.error.AlraiException;
import io.alrai.common.id.DnId;
import io.alrai.common.id.TransactionId;
import io.alrai.common.time.HlcTimestamp;
import io.alrai.common.time.HybridLogicalClock;
import io.alrai.dn.binlog.BinlogPosition;
import io.alrai.dn.clock.NodeClock;
import io.alrai.dn.gate.ModelMysqld.Connection;
import io.alrai.dn.gate.ModelViews.OpenAnswer;
import io.alrai.dn.gate.ModelViews.View;
import io.alrai.dn.gate.Settled.Outcome;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.Set;
import java.util.function.Consumer;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** The I/O around one real gate, in front of a model of its mysqld. */
public final class ModelAgent implements ModelDn {
  static final long SILENCE = 15_000;

  final DnId dn;
  private final World world;
  private final Function<DnId, ModelAgent> agents;
  private final GateRules rules;
  private final SessionRules sessions;
  private long offsetMillis;
  final ModelLead lead;
  public final ModelMysqld mysqld;
  final List<View> opened = new ArrayList<>();
  private boolean up = true;
  private int incarnation;
  private final ModelDisk disk;
  private HybridLogicalClock hlc;
  private FailingClock clock;
  private Gate gate;
  private final Queue<Effect> effects = new ArrayDeque<>();
  private final Set<Call<?>> calls = new LinkedHashSet<>();
  private final Map<BinlogPosition, HlcTimestamp> stamps = new HashMap<>();
  private long numbers;
  private boolean working;
  private ModelResolver resolver;
  private ModelViews views;
  private ModelPushes pushes;
  private ModelLog log;
  private ModelDecisions marked;
  private ModelStream stream;
  final ModelFollower follower;
  private ModelFinishes finishes;
  private ModelPrimaries primaries;

  /** The only member of its DN. */
  ModelAgent(ModelPlace place, long offsetMillis) {
    this(place, offsetMillis, new ModelRows(), HlcTimestamp.ZERO, ModelLead.ALONE);
    start();
  }

  /**
   * A member's agent that leads until it is killed.
   *
   * @param floor its clock begins above it
   */
  public ModelAgent(
      ModelPlace place, long offsetMillis, ModelRows rows, HlcTimestamp floor, ModelLead lead) {
    this.world = place.world();
    this.dn = place.dn();
    this.offsetMillis = offsetMillis;
    this.agents = place.agents();
    this.rules = place.rules();
    this.sessions = place.sessions();
    this.lead = lead;
    this.mysqld = new ModelMysqld(world, sessions.log(), rows);
    this.disk = new ModelDisk(mysqld.visibleThrough());
    this.follower = new ModelFollower(world, this, sessions.log());
    this.hlc = newClock();
    if (floor.value() > 0) {
      hlc.restoreAbove(floor);
    }
    live();
  }

  private void live() {
    clock = new FailingClock(NodeClock.inMemory(hlc), sessions.refusesClocks());
    gate = new Gate(clock, disk.acked, effects::add, rules);
    marked = new ModelDecisions(world, this, disk, sessions.log());
    stream = new ModelStream(world, this, gate, clock, disk, sessions.log());
    views = new ModelViews(world, this, gate, opened);
    pushes = new ModelPushes(world, this, gate, agents);
    log = new ModelLog(world, mysqld, gate, marked, sessions);
    finishes = new ModelFinishes(world, this, gate, sessions);
    primaries = new ModelPrimaries(world, this, gate, log, sessions);
    resolver = new ModelResolver(world, this, agents);
  }

  private HybridLogicalClock newClock() {
    return new HybridLogicalClock(() -> world.wallMillis(offsetMillis), sessions.mostAheadMillis());
  }

  @Override
  public void setClock(long offset) {
    offsetMillis = offset;
  }

  // Life and death.

  /** It begins to do something. */
  public void start() {
    marked.begin(ModelFiles.number(disk.acked));
    follower.lifeBegins(ModelFiles.number(disk.acked));
    stream.begin();
    awaitOldTransactions();
    resolver = new ModelResolver(world, this, agents);
    resolver.start();
  }

  private void awaitOldTransactions() {
    if (mysqld.busy()) {
      later(300, this::awaitOldTransactions);
    } else if (lead.recoversLate()) {
      gate.recovered(List.of());
      later(world.between(1_000, 5_000), () -> gate.recovered(mysqld.recover()));
    } else {
      gate.recovered(mysqld.recover());
      work();
    }
  }

  /** kill -9 of the agent, and with it of the mysqld if that is asked for. */
  void crash(boolean withMysqld) {
    if (!up) {
      return;
    }
    up = false;
    incarnation++;
    mysqld.stream(entry -> {});
    follower.lifeEnded();
    if (withMysqld) {
      mysqld.crash(disk.acked);
      disk.acked = mysqld.visibleThrough();
    } else {
      mysqld.dropConnections();
    }
    calls.forEach(Call::fail);
    calls.clear();
    stamps.clear();
    effects.clear();
    HlcTimestamp mark = hlc.now();
    world.after(
        world.between(1_000, 30_000),
        () -> {
          hlc = newClock();
          // above the mark that was reserved ahead
          hlc.restoreAbove(HlcTimestamp.ofMillis(mark.millis() + world.between(1, 50)));
          live();
          up = true;
          start();
        });
  }

  /** kill -9 of a member, or of its mysqld: nothing of this agent goes on. */
  public void end() {
    up = false;
    incarnation++;
    mysqld.end();
    follower.lifeEnded();
    calls.forEach(Call::fail);
    calls.clear();
    effects.clear();
  }

  /** Whether it has not ended. */
  public boolean up() {
    return up;
  }

  @Override
  public DnId dn() {
    return dn;
  }

  @Override
  public ModelAgent leader() {
    return this;
  }

  @Override
  public Map<Integer, List<Long>> rows() {
    return mysqld.view();
  }

  @Override
  public void fault(double kind) {
    if (kind < 0.35) {
      crash(false);
    } else if (kind < 0.6) {
      crash(true);
    } else {
      mysqld.rotated =
          () -> {
            mysqld.rotated = () -> {};
            world.after(world.between(0, 300), () -> crash(true));
          };
    }
  }

  /** Unless the agent has died since. */
  public void later(long micros, Runnable action) {
    int then = incarnation;
    world.after(
        micros,
        () -> {
          if (incarnation == then) {
            action.run();
          }
        });
  }

  boolean lives(Object life) {
    return up && (resolver == life || pushes == life || finishes == life || primaries == life);
  }

  @Override
  public boolean idle() {
    return up
        && !mysqld.busy()
        && mysqld.recover().isEmpty()
        && gate.waitingOpens() == 0
        && gate.preparedBranches().isEmpty();
  }

  @Override
  public String state() {
    return String.format(
        "%s up=%s busy=%s prepared=%s gate: waiting=%d prepared=%d",
        dn,
        up,
        mysqld.busy(),
        mysqld.recover(),
        gate.waitingOpens(),
        gate.preparedBranches().size());
  }

  // Requests.

  HlcTimestamp visibleStamp() {
    return gate.visibleStamp();
  }

  /** Sends a request; the handler runs here when it has come. */
  <T> void request(HlcTimestamp senderClock, Call<T> call, Runnable handler) {
    request(senderClock, call, handler, () -> {});
  }

  <T> void request(HlcTimestamp senderClock, Call<T> call, Runnable handler, Runnable broken) {
    call.send(() -> {
      if (!up) {
        call.fail();
        return;
      }
      calls.add(call);
      try {
        clock.update(senderClock);
        handler.run();
      } catch (AlraiException ahead) {
        world.refusals++;
        calls.remove(call);
        call.fail();
        broken.run();
      }
      work();
    });
  }

  <T> void answer(Call<T> call, T value) {
    lead.send(() -> answerNow(call, value));
  }

  private <T> void answerNow(Call<T> call, T value) {
    calls.remove(call);
    if (value instanceof OpenAnswer answer && answer.view() != null) {
      lead.shown(answer.view());
    }
    call.answer(value, hlc.now());
  }

  void append(Connection connection, int key, long value, Call<@Nullable List<Long>> call) {
    List<Long> before = mysqld.append(connection, key, value);
    later(world.between(5, 100), () -> answer(call, before));
  }

  void commit(Connection connection, HlcTimestamp dependency, Call<Settled> call) {
    if (connection.dead) {
      answer(call, new Settled(Outcome.ABORTED, HlcTimestamp.ZERO));
      return;
    }
    int then = incarnation;
    mysqld.commit(
        connection,
        dependency,
        end -> {
          HlcTimestamp stamp = stamps.get(end);
          if (incarnation == then && stamp != null) {
            answer(call, new Settled(Outcome.COMMITTED, stamp));
          }
        });
  }

  void prepare(Connection connection, TransactionId id, Call<@Nullable HlcTimestamp> call) {
    if (connection.dead || connection.lost) {
      answer(call, null);
      return;
    }
    gate.preparing(id);
    int then = incarnation;
    mysqld.xaPrepare(
        connection,
        id,
        () -> {
          if (incarnation == then) {
            answer(call, gate.prepared(id));
          }
        });
  }

  /** The flag says whether the coordinator's connection is alive. */
  void preCommit(
      Connection connection, TransactionId id, boolean[] alive, Call<@Nullable HlcTimestamp> call) {
    primaries.preCommit(connection, id, alive, call);
  }

  void decide(TransactionId id, HlcTimestamp proposed, Call<Settled> call) {
    primaries.decide(id, proposed, call);
  }

  void commitPrepared(TransactionId id, HlcTimestamp commitTs, Call<Boolean> call) {
    finishes.commit(id, commitTs, call);
    stream.awaitEnd(id, call);
  }

  void rollbackPrepared(TransactionId id) {
    finishes.rollback(id);
  }

  /** The coordinator rolls back, or its connection broke. */
  void rollback(Connection connection, @Nullable TransactionId primaryOf) {
    if (!up || (primaryOf != null && !gate.giveUp(primaryOf))) {
      return;
    }
    primaries.gone(primaryOf);
    mysqld.rollback(connection);
    work();
  }

  /** The coordinator's transaction is aborted: its XA branch here goes, in whatever state. */
  void abort(Connection connection, TransactionId id) {
    if (!up) {
      return;
    }
    if (mysqld.recover().contains(id)) {
      rollbackPrepared(id);
    } else {
      mysqld.rollback(connection);
    }
    work();
  }

  void forget(TransactionId id) {
    if (up) {
      gate.forget(id);
      marked.forget(id);
      mysqld.txLog.forget(id);
    }
  }

  void open(HlcTimestamp at, Call<OpenAnswer> call) {
    views.open(new OpenId(++numbers), at, call);
  }

  /** Asked by who holds a prepared branch. */
  void outcome(TransactionId id, Call<Settled> call) {
    if (primaries.isAtWork(id)) {
      answer(call, new Settled(Outcome.IN_DOUBT, HlcTimestamp.ZERO));
    } else if (gate.giveUp(id)) {
      settle(id, settled -> answer(call, settled));
    } else {
      answer(call, log.told(id));
    }
  }

  /** By this DN's own log. */
  void settle(TransactionId id, Consumer<Settled> to) {
    int then = incarnation;
    log.settle(
        id,
        settled -> {
          if (incarnation == then) {
            to.accept(settled);
            work();
          }
        });
  }

  // The log.

  ModelDecisions decisions() {
    return marked;
  }

  /** Gives decisions rows. */
  void copy(Map<TransactionId, Long> decided, Runnable done) {
    int then = incarnation;
    mysqld.txLog.copy(
        decided,
        () -> {
          if (incarnation == then) {
            done.run();
          }
        });
  }

  void openNextViews() {
    views.openNext();
  }

  void commitTsKnown(TransactionId id, HlcTimestamp commitTs) {
    gate.commitTsKnown(id, commitTs);
    work();
  }

  /** What the resolver has learned. */
  void resolved(TransactionId id, Settled settled) {
    switch (settled.outcome()) {
      case COMMITTED -> gate.commitPrepared(id, settled.commitTs());
      case ABORTED -> rollbackPrepared(id);
      case IN_DOUBT -> {}
    }
    work();
  }

  /** Asked by a primary whose decision nobody has forgotten. */
  void holds(TransactionId id, Call<Boolean> call) {
    boolean holds = gate.holds(id) || mysqld.recover().contains(id) || mysqld.isEnding(id);
    lead.sendHoldings(() -> answerNow(call, holds));
  }

  void received(HlcTimestamp remoteClock) {
    clock.update(remoteClock);
  }

  ModelPushes pushes() {
    return pushes;
  }

  /** Its clock. */
  public HlcTimestamp now() {
    return hlc.now();
  }

  // Effects.

  void work() {
    if (working) {
      return;
    }
    working = true;
    for (Effect effect = effects.poll(); effect != null; effect = effects.poll()) {
      perform(effect);
    }
    working = false;
  }

  private void perform(Effect effect) {
    switch (effect) {
      case Effect.Ack ack -> stream.letThrough(ack.through());
      case Effect.Stamped stamped -> {
        stamps.put(stamped.end(), stamped.stamp());
        stream.stamped(stamped.end(), stamped.stamp());
      }
      case Effect.WriteStamps late -> stream.write(late);
      case Effect.Push push -> pushes.send(push);
      case Effect.AnswerPush answered -> pushes.answered(answered.push(), answered.answer());
      case Effect.Settle settle -> pushes.settle(settle.id());
      case Effect.AskCommitTs ask -> resolver.askCommitTs(ask.id());
      case Effect.SubmitDecision submit -> primaries.submit(submit.id(), submit.commitTs());
      case Effect.RefuseDecision refuse -> primaries.refused(refuse.id());
      case Effect.SubmitXaCommit submit -> finishes.xaCommit(submit.id());
      case Effect.OpenViews open -> views.openViews(open);
      case Effect.Opened now -> views.opened(now.snapshot());
      case Effect.Refused no -> views.refused(no.snapshot(), no.hint());
    }
  }
}
