package io.alrai.dn.gate;

import io.alrai.common.id.TransactionId;
import io.alrai.common.time.HlcTimestamp;
import io.alrai.dn.gate.ModelMysqld.Connection;
import io.alrai.dn.gate.Settled.Outcome;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** The transactions that one life of an agent decides. */
final class ModelPrimaries {
  private record Deciding(Connection connection, long since, boolean[] alive) {}

  private final World world;
  private final ModelAgent agent;
  private final Gate gate;
  private final ModelLog log;
  private final SessionRules rules;
  private final Map<TransactionId, Deciding> deciding = new LinkedHashMap<>();
  private final Map<TransactionId, Call<Settled>> decisions = new HashMap<>();

  ModelPrimaries(World world, ModelAgent agent, Gate gate, ModelLog log, SessionRules rules) {
    this.world = world;
    this.agent = agent;
    this.gate = gate;
    this.log = log;
    this.rules = rules;
  }

  /** The flag says whether the coordinator's connection is alive. */
  void preCommit(
      Connection connection, TransactionId id, boolean[] alive, Call<@Nullable HlcTimestamp> call) {
    if (connection.dead || log.refuses(id)) {
      agent.answer(call, null);
      return;
    }
    deciding.put(id, new Deciding(connection, world.now(), alive));
    agent.answer(call, gate.preCommit(id));
  }

  void decide(TransactionId id, HlcTimestamp proposed, Call<Settled> call) {
    decisions.put(id, call);
    gate.decide(id, proposed);
  }

  void gone(@Nullable TransactionId id) {
    deciding.remove(id);
  }

  /** Whether its coordinator is at work on it. */
  boolean isAtWork(TransactionId id) {
    Deciding at = deciding.get(id);
    return at != null && at.alive[0] && world.now() - at.since < ModelAgent.SILENCE;
  }

  void submit(TransactionId id, HlcTimestamp commitTs) {
    Deciding at = deciding.get(id);
    boolean lost = at != null && at.connection.lost;
    Settled committed = new Settled(Outcome.COMMITTED, commitTs);
    Consumer<Boolean> done =
        logged -> {
          if (!agent.lives(this)) {
            return;
          }
          if (logged || !rules.writesWhatCommitHasNotLogged()) {
            decided(id, committed);
          } else {
            decideAlone(id, committed);
          }
        };
    boolean sent =
        at != null
            && !(lost && rules.decidesInTransactionsOnly())
            && agent.mysqld.decide(at.connection, id, commitTs, done);
    if (!sent) {
      gate.decisionFailed(id);
      decided(id, new Settled(Outcome.ABORTED, HlcTimestamp.ZERO));
    }
  }

  /** The primary changed nothing, so that its COMMIT has decided nothing. */
  private void decideAlone(TransactionId id, Settled committed) {
    agent.mysqld.txLog.writeDecision(
        id,
        committed.commitTs(),
        written -> {
          if (!agent.lives(this)) {
            return;
          }
          if (written) {
            decided(id, committed);
          } else {
            gate.decisionFailed(id);
            decided(id, new Settled(Outcome.ABORTED, HlcTimestamp.ZERO));
            agent.work();
          }
        });
  }

  private void decided(TransactionId id, Settled settled) {
    deciding.remove(id);
    Call<Settled> call = decisions.remove(id);
    if (call != null) {
      agent.answer(call, settled);
    }
  }

  void refused(TransactionId id) {
    Deciding at = deciding.get(id);
    if (at != null) {
      agent.mysqld.rollback(at.connection);
    }
    decided(id, new Settled(Outcome.ABORTED, HlcTimestamp.ZERO));
  }
}
