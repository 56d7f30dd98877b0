package io.alrai.optimizer.route;

import java.util.Optional;
import java.util.function.Function;

/** One way to run a statement: its plan, or why it cannot be taken. */
public sealed interface Alternative<P> {
  /** It can be taken. */
  record Possible<P>(P plan) implements Alternative<P> {}

  /**
   * It cannot be taken.
   *
   * @param reason what of the statement is the cause, as a part of a sentence
   */
  record Refused<P>(String reason) implements Alternative<P> {}

  /** The way that a further step makes of this one. */
  default <Q> Alternative<Q> then(Function<P, Alternative<Q>> step) {
    return switch (this) {
      case Possible<P>(P plan) -> step.apply(plan);
      case Refused<P>(String reason) -> new Refused<>(reason);
    };
  }

  /** A way that is refused where there is no plan. */
  static <P> Alternative<P> of(Optional<P> plan, String reason) {
    return plan.<Alternative<P>>map(Possible::new).orElseGet(() -> new Refused<>(reason));
  }
}
