package io.alrai.dn.gate;

import io.alrai.common.id.DnId;
import io.alrai.common.id.TransactionId;
import io.alrai.dn.gate.Settled.Outcome;
import java.util.HashSet;
import java.util.Set;
import java.util.function.Consumer;
import java.util.function.Function;

/** Asks primaries about branches whose coordinator is silent; one for each life of an agent. */
final class ModelResolver {
  private static final long LOOK = 10_000;

  private final World world;
  private final ModelAgent agent;
  private final Function<DnId, ModelAgent> agents;
  private final Set<TransactionId> asking = new HashSet<>();

  ModelResolver(World world, ModelAgent agent, Function<DnId, ModelAgent> agents) {
    this.world = world;
    this.agent = agent;
    this.agents = agents;
  }

  void start() {
    agent.later(LOOK, this::look);
  }

  private void ifAlive(Runnable action) {
    if (agent.lives(this)) {
      action.run();
    }
  }

  /** Asks until it is known. */
  void askCommitTs(TransactionId id) {
    askOutcome(
        id,
        settled -> {
          if (settled.outcome() == Outcome.ABORTED) {
            throw new IllegalStateException(
                id + " was committed here, and is aborted at its primary");
          }
          if (settled.outcome() == Outcome.COMMITTED) {
            agent.commitTsKnown(id, settled.commitTs());
          } else {
            agent.later(2_000, () -> askCommitTs(id));
          }
        },
        () -> agent.later(2_000, () -> askCommitTs(id)));
  }

  private void askOutcome(TransactionId id, Consumer<Settled> answered, Runnable failed) {
    ModelAgent primary = agents.apply(id.primary());
    Call<Settled> call =
        new Call<>(
            world,
            world::peerDelay,
            clock -> {},
            settled -> ifAlive(() -> answered.accept(settled)),
            () -> ifAlive(failed));
    agent.lead.send(() -> primary.request(agent.now(), call, () -> primary.outcome(id, call)));
  }

  private void look() {
    for (TransactionId id : agent.mysqld.preparedBefore(world.now() - ModelAgent.SILENCE)) {
      if (asking.add(id)) {
        askOutcome(
            id,
            settled -> {
              asking.remove(id);
              agent.resolved(id, settled);
            },
            () -> asking.remove(id));
      }
    }
    start();
  }
}
