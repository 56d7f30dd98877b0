package io.alrai.dn.raft;

import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Drops a member once it is known which of the others live: those that have answered their leader
 * since this was asked for, within a second. One that has just died may have answered before; with
 * its vote the change would not end.
 */
final class Dropping {
  /** A member that has not answered its leader for so long does not count as one that lives. */
  static final Duration ALIVE = Duration.ofSeconds(1);

  private static final long LOOK_MILLIS = 20;

  private final Membership membership;
  private final String name;
  private final ScheduledExecutorService later;
  private final CompletableFuture<Void> done = new CompletableFuture<>();

  Dropping(Membership membership, String name, ScheduledExecutorService later) {
    this.membership = membership;
    this.name = name;
    this.later = later;
  }

  /** Completes as {@link GroupLog#dropMember} says. */
  CompletableFuture<Void> begin() {
    look(Duration.ZERO);
    return done;
  }

  /** A look so long after it was asked for, or later. */
  private void look(Duration since) {
    boolean over = since.compareTo(ALIVE) >= 0;
    if (over || membership.leavesLiving(name, since)) {
      membership.drop(name, over ? ALIVE : since).whenComplete((dropped, error) -> end(error));
      return;
    }
    try {
      later.schedule(() -> look(since.plusMillis(LOOK_MILLIS)), LOOK_MILLIS, TimeUnit.MILLISECONDS);
    } catch (RejectedExecutionException closing) {
      done.completeExceptionally(closing);
    }
  }

  private void end(@Nullable Throwable error) {
    if (error == null) {
      done.complete(null);
    } else {
      done.completeExceptionally(error);
    }
  }
}
