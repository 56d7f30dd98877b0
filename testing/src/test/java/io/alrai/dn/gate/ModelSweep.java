package io.alrai.dn.gate;

import io.alrai.common.id.DnId;
import io.alrai.common.id.TransactionId;
import java.util.HashSet;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;

/** Forgets decisions that nobody has a prepared branch of any more; one for each lead. */
public final class ModelSweep {
  private static final long LOOK = 4_000;

  private final World world;
  private final ModelAgent agent;
  private final Function<DnId, ModelAgent> agents;
  private final Function<TransactionId, Optional<Set<DnId>>> participants;
  private final Set<TransactionId> asking = new HashSet<>();

  /**
   * Begins after a while.
   *
   * @param participants of a transaction; empty while its coordinator may ask for its outcome
   */
  public ModelSweep(
      World world,
      ModelAgent agent,
      Function<DnId, ModelAgent> agents,
      Function<TransactionId, Optional<Set<DnId>>> participants) {
    this.world = world;
    this.agent = agent;
    this.agents = agents;
    this.participants = participants;
    agent.later(LOOK, this::look);
  }

  private void look() {
    for (TransactionId id : agent.mysqld.txLog.decided()) {
      participants.apply(id).filter(parts -> asking.add(id)).ifPresent(parts -> ask(id, parts));
    }
    agent.later(LOOK, this::look);
  }

  private void ask(TransactionId id, Set<DnId> parts) {
    Set<DnId> holders = new HashSet<>(parts);
    holders.remove(agent.dn);
    int[] left = {holders.size()};
    boolean[] held = {holders.isEmpty()};
    for (DnId holder : holders) {
      ModelAgent asked = agents.apply(holder);
      Call<Boolean> call =
          new Call<>(
              world,
              world::peerDelay,
              clock -> ifUp(() -> agent.received(clock)),
              holds -> ifUp(() -> answered(id, left, held, holds)),
              () -> ifUp(() -> answered(id, left, held, true)));
      agent.lead.send(() -> asked.request(agent.now(), call, () -> asked.holds(id, call)));
    }
  }

  private void ifUp(Runnable action) {
    if (agent.up()) {
      action.run();
    }
  }

  private void answered(TransactionId id, int[] left, boolean[] held, boolean holds) {
    held[0] |= holds;
    if (--left[0] > 0) {
      return;
    }
    if (!held[0]) {
      agent.forget(id);
    }
    asking.remove(id);
  }
}
