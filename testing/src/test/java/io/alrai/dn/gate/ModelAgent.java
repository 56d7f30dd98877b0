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
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.Set;
import java.util.function.Consumer;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** The I/O around one real gate, in front of a model of its mysqld. */
final class ModelAgent {
  static final long SILENCE = 15_000;

  private record Deciding(Connection connection, long since, boolean[] alive) {}

  final DnId dn;
  private final World world;
  private final Function<DnId, ModelAgent> agents;
  private final GateRules rules;
  private final SessionRules sessions;
  private long offsetMillis;
  final ModelMysqld mysqld;
  final List<View> opened = new ArrayList<>();
  private boolean up = true;
  private int incarnation;
  private final ModelDisk disk;
  private HybridLogicalClock hlc;
  private FailingClock clock;
  private Gate gate;
  private final Queue<Effect> effects = new ArrayDeque<>();
  private final Set<Call<?>> calls = new LinkedHashSet<>();
  private final Map<TransactionId, Deciding> deciding = new LinkedHashMap<>();
  private final Map<TransactionId, Call<Settled>> decisions = new HashMap<>();

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

  ModelAgent(
      World world,
      DnId dn,
      long offsetMillis,
      Function<DnId, ModelAgent> agents,
      GateRules rules,
      SessionRules sessions) {
    this.world = world;
    this.dn = dn;
    this.offsetMillis = offsetMillis;
    this.agents = agents;
    this.rules = rules;
    this.sessions = sessions;
    this.mysqld = new ModelMysqld(world, sessions.log());
    this.disk = new ModelDisk(mysqld.visibleThrough());
    this.follower = new ModelFollower(world, this, sessions.log());
    this.hlc = newClock();
    this.clock = new FailingClock(NodeClock.inMemory(hlc), sessions.refusesClocks());
    this.gate = new Gate(clock, disk.acked, effects::add, rules);
    this.marked = new ModelDecisions(world, this, disk, sessions.log());
    this.stream = new ModelStream(world, this, gate, clock, disk, sessions.log());
    this.views = new ModelViews(world, this, gate, opened);
    this.pushes = new ModelPushes(world, this, gate, agents);
    this.log = new ModelLog(world, mysqld, gate, marked, sessions);
    this.finishes = new ModelFinishes(world, this, gate, sessions);
    this.resolver = new ModelResolver(world, this, agents);
    start();
  }

  private HybridLogicalClock newClock() {
    return new HybridLogicalClock(() -> world.wallMillis(offsetMillis), sessions.mostAheadMillis());
  }

  /** Somebody sets its clock. */
  void setClock(long offset) {
    offsetMillis = offset;
  }

  // Life and death.

  private void start() {
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
    List.of(deciding, decisions, stamps).forEach(Map::clear);
    effects.clear();
    HlcTimestamp mark = hlc.now();
    world.after(
        world.between(1_000, 30_000),
        () -> {
          hlc = newClock();
          // above the mark that was reserved ahead
          hlc.restoreAbove(HlcTimestamp.ofMillis(mark.millis() + world.between(1, 50)));
          clock = new FailingClock(NodeClock.inMemory(hlc), sessions.refusesClocks());
          gate = new Gate(clock, disk.acked, effects::add, rules);
          marked = new ModelDecisions(world, this, disk, sessions.log());
          stream = new ModelStream(world, this, gate, clock, disk, sessions.log());
          views = new ModelViews(world, this, gate, opened);
          pushes = new ModelPushes(world, this, gate, agents);
          log = new ModelLog(world, mysqld, gate, marked, sessions);
          finishes = new ModelFinishes(world, this, gate, sessions);
          up = true;
          start();
        });
  }

  /** Unless the agent has died since. */
  void later(long micros, Runnable action) {
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
    return up && (resolver == life || pushes == life || finishes == life);
  }

  /** Whether nothing is left to do. */
  boolean idle() {
    return up
        && !mysqld.busy()
        && mysqld.recover().isEmpty()
        && gate.waitingOpens() == 0
        && gate.preparedBranches().isEmpty();
  }

  String state() {
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

  /** Sends a request; where a clock is too far ahead the connection is broken instead. */
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
    calls.remove(call);
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
    if (connection.dead || log.refuses(id)) {
      answer(call, null);
      return;
    }
    deciding.put(id, new Deciding(connection, world.now(), alive));
    answer(call, gate.preCommit(id));
  }

  void decide(TransactionId id, HlcTimestamp proposed, Call<Settled> call) {
    decisions.put(id, call);
    gate.decide(id, proposed);
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
    deciding.remove(primaryOf);
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
    Deciding at = deciding.get(id);
    if (at != null && at.alive[0] && world.now() - at.since < SILENCE) {
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

  void received(HlcTimestamp remoteClock) {
    clock.update(remoteClock);
  }

  ModelPushes pushes() {
    return pushes;
  }

  HlcTimestamp now() {
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
      case Effect.WriteStamps late -> stream.stampsWritten(late.number());
      case Effect.Push push -> pushes.send(push);
      case Effect.AnswerPush answered -> pushes.answered(answered.push(), answered.answer());
      case Effect.Settle settle -> pushes.settle(settle.id());
      case Effect.AskCommitTs ask -> resolver.askCommitTs(ask.id());
      case Effect.SubmitDecision submit -> submit(submit.id(), submit.commitTs());
      case Effect.RefuseDecision refuse -> refused(refuse.id());
      case Effect.SubmitXaCommit submit -> finishes.xaCommit(submit.id());
      case Effect.OpenViews open -> views.openViews(open);
      case Effect.Opened now -> views.opened(now.snapshot());
      case Effect.Refused no -> views.refused(no.snapshot(), no.hint());
    }
  }

  private void submit(TransactionId id, HlcTimestamp commitTs) {
    Deciding at = deciding.get(id);
    int then = incarnation;
    boolean lost = at != null && at.connection.lost;
    Settled committed = new Settled(Outcome.COMMITTED, commitTs);
    Consumer<Boolean> done =
        logged -> {
          if (incarnation != then) {
            return;
          }
          if (logged || !sessions.writesWhatCommitHasNotLogged()) {
            decided(id, committed);
          } else {
            decideAlone(id, committed);
          }
        };
    boolean sent =
        at != null
            && !(lost && sessions.decidesInTransactionsOnly())
            && mysqld.decide(at.connection, id, commitTs, done);
    if (!sent) {
      gate.decisionFailed(id);
      decided(id, new Settled(Outcome.ABORTED, HlcTimestamp.ZERO));
    }
  }

  /** The primary changed nothing, so that its COMMIT has decided nothing. */
  private void decideAlone(TransactionId id, Settled committed) {
    int then = incarnation;
    mysqld.txLog.writeDecision(
        id,
        committed.commitTs(),
        written -> {
          if (incarnation == then && written) {
            decided(id, committed);
          } else if (incarnation == then) {
            gate.decisionFailed(id);
            decided(id, new Settled(Outcome.ABORTED, HlcTimestamp.ZERO));
            work();
          }
        });
  }

  private void decided(TransactionId id, Settled settled) {
    deciding.remove(id);
    Call<Settled> call = decisions.remove(id);
    if (call != null) {
      answer(call, settled);
    }
  }

  private void refused(TransactionId id) {
    Deciding at = deciding.get(id);
    if (at != null) {
      mysqld.rollback(at.connection);
    }
    decided(id, new Settled(Outcome.ABORTED, HlcTimestamp.ZERO));
  }
}
