package io.alrai.raft;

import java.util.Optional;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.apache.ratis.server.DivisionInfo;

/**
 * Ratis closes a log that it cannot go on with, and reports that to nobody: looks whether it has.
 * Thread-safe.
 */
public final class ClosedLog {
  private static final long LOOK_MILLIS = 1_000;

  /** A member that is dropped hears of that after its log was closed, which may take seconds. */
  private static final int PATIENCE_LOOKS = 5;

  private final String name;
  private final Supplier<Optional<DivisionInfo>> info;
  private final BooleanSupplier wanted;
  private final Consumer<IllegalStateException> onClosed;
  private int closedLooks;

  /**
   * A log that runs.
   *
   * @param name its member's
   * @param info of the log, empty where Ratis has none now
   * @param wanted whether its member closes it, or has left its group
   * @param onClosed hears, once, that the log has closed itself, in a sentence
   */
  public ClosedLog(
      String name,
      Supplier<Optional<DivisionInfo>> info,
      BooleanSupplier wanted,
      Consumer<IllegalStateException> onClosed) {
    this.name = name;
    this.info = info;
    this.wanted = wanted;
    this.onClosed = onClosed;
  }

  /** Looks once a second, as long as that executor works. */
  public void lookOn(ScheduledExecutorService executor) {
    executor.scheduleWithFixedDelay(this::look, LOOK_MILLIS, LOOK_MILLIS, TimeUnit.MILLISECONDS);
  }

  private void look() {
    if (closedLooks < PATIENCE_LOOKS
        && isClosed()
        && !wanted.getAsBoolean()
        && ++closedLooks == PATIENCE_LOOKS) {
      onClosed.accept(
          new IllegalStateException(
              "the log of " + name + " has closed itself after an error, see above"));
    }
  }

  private boolean isClosed() {
    return info.get().map(now -> !now.isAlive()).orElse(false);
  }
}
