package io.alrai.dn.gate;

import io.alrai.common.id.TransactionId;
import io.alrai.common.time.HlcTimestamp;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** How one life of an agent ends prepared branches. */
final class ModelFinishes {
  private final World world;
  private final ModelAgent agent;
  private final Gate gate;
  private final SessionRules rules;
  private final Map<TransactionId, List<Call<Boolean>>> commits = new HashMap<>();

  ModelFinishes(World world, ModelAgent agent, Gate gate, SessionRules rules) {
    this.world = world;
    this.agent = agent;
    this.gate = gate;
    this.rules = rules;
  }

  void commit(TransactionId id, HlcTimestamp commitTs, Call<Boolean> call) {
    commits.computeIfAbsent(id, k -> new ArrayList<>()).add(call);
    gate.commitPrepared(id, commitTs);
  }

  void rollback(TransactionId id) {
    gate.rollingBack(id);
    agent.mysqld.xaEnd(
        id,
        false,
        known -> {
          if (agent.lives(this) && !known) {
            gate.branchGone(id);
            agent.work();
          }
        });
  }

  /** The gate's word. */
  void xaCommit(TransactionId id) {
    double breaks = rules.breaksXaCommits();
    if (breaks > 0 && world.chance(breaks)) {
      agent.mysqld.xaEnd(id, true, lost -> {});
      agent.later(world.between(50, 1_000), () -> send(id));
    } else {
      send(id);
    }
  }

  private void send(TransactionId id) {
    if (rules.asksWhoEnds() && agent.mysqld.isEnding(id)) {
      agent.later(500, () -> send(id));
      return;
    }
    agent.mysqld.xaEnd(
        id,
        true,
        known -> {
          if (agent.lives(this)) {
            ended(id, known);
          }
        });
  }

  private void ended(TransactionId id, boolean known) {
    if (!known) {
      gate.branchGone(id);
    }
    List<Call<Boolean>> waiting = commits.remove(id);
    if (waiting != null) {
      waiting.forEach(call -> agent.answer(call, true));
    }
    agent.work();
  }
}
