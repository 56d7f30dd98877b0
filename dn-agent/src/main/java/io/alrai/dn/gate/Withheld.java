package io.alrai.dn.gate;

import io.alrai.common.id.TransactionId;
import io.alrai.common.time.HlcTimestamp;
import io.alrai.dn.clock.NodeClock;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;

/** Gives decided commits to the mysqld, those above a waiting snapshot only after its cut. */
final class Withheld {
  private final GateRules rules;
  private final NodeClock clock;
  private final Fence fence;
  private final Decisions decisions;
  private final PreparedSet prepared;
  private final Consumer<Effect> effects;

  Withheld(
      GateRules rules,
      NodeClock clock,
      Fence fence,
      Decisions decisions,
      PreparedSet prepared,
      Consumer<Effect> effects) {
    this.rules = rules;
    this.clock = clock;
    this.fence = fence;
    this.decisions = decisions;
    this.prepared = prepared;
    this.effects = effects;
  }

  /** Submits what may be submitted while this is the lowest snapshot that waits. */
  void submit(Optional<HlcTimestamp> lowestWaiting) {
    for (Map.Entry<TransactionId, HlcTimestamp> next : decisions.unsubmitted().entrySet()) {
      if (maySubmit(next.getValue(), lowestWaiting)) {
        decisions.submitted(next.getKey(), next.getValue());
        effects.accept(new Effect.SubmitDecision(next.getKey(), next.getValue()));
      }
    }
    for (Map.Entry<TransactionId, HlcTimestamp> next : prepared.unsubmitted().entrySet()) {
      if (maySubmit(next.getValue(), lowestWaiting)) {
        prepared.submitted(next.getKey());
        effects.accept(new Effect.SubmitXaCommit(next.getKey(), next.getValue()));
      }
    }
  }

  private boolean maySubmit(HlcTimestamp commitTs, Optional<HlcTimestamp> lowestWaiting) {
    if (lowestWaiting.isPresent() && rules.withholds(commitTs, lowestWaiting.get())) {
      return false;
    }
    // whatever commits after it has become visible is stamped above it
    clock.restoreAbove(commitTs);
    fence.submitted(commitTs);
    return true;
  }
}
