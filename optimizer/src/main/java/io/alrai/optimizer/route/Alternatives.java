package io.alrai.optimizer.route;

import io.alrai.executor.fragment.Refusal;
import io.alrai.executor.fragment.Refusal.Way;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;

/**
 * Ways to run a statement, tried in their order until one is possible; those before it are
 * remembered with their reasons. One thread.
 */
public final class Alternatives<P> {
  private final List<Refusal> refusals = new ArrayList<>();
  private Optional<P> plan = Optional.empty();

  /** Tries a way, unless one was possible before. */
  public Alternatives<P> or(Way way, Supplier<Alternative<P>> alternative) {
    if (plan.isEmpty()) {
      switch (alternative.get()) {
        case Alternative.Possible<P>(P possible) -> plan = Optional.of(possible);
        case Alternative.Refused<P>(String reason) -> refusals.add(new Refusal(way, reason));
      }
    }
    return this;
  }

  /** The plan of the first way that is possible. */
  public Optional<P> plan() {
    return plan;
  }

  /** The ways that were tried before it. */
  public List<Refusal> refusals() {
    return refusals;
  }
}
