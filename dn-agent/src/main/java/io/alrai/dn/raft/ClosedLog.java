package io.alrai.dn.raft;

import java.util.Optional;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;
import org.apache.ratis.server.DivisionInfo;

/**
 * Ratis closes a log that it cannot go on with, and reports that to nobody: looks whether it has.
 * One thread at a time.
 */
final class ClosedLog {
  private final GroupConfig config;
  private final Supplier<Optional<DivisionInfo>> info;
  private final BooleanSupplier wanted;
  private final GroupEvents events;
  private boolean reported;

  /**
   * A log that runs.
   *
   * @param wanted whether its member closes it
   * @param events hear of its end as of a failure, once
   */
  ClosedLog(
      GroupConfig config,
      Supplier<Optional<DivisionInfo>> info,
      BooleanSupplier wanted,
      GroupEvents events) {
    this.config = config;
    this.info = info;
    this.wanted = wanted;
    this.events = events;
  }

  void look() {
    if (!reported && isClosed() && !wanted.getAsBoolean() && !DroppedMark.is(config)) {
      reported = true;
      events.failed(
          new IllegalStateException(
              "the log of " + config.name() + " has closed itself after an error, see above"));
    }
  }

  private boolean isClosed() {
    return info.get().map(now -> !now.isAlive()).orElse(false);
  }
}
