package io.alrai.dn.raft;

import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.RejectedExecutionException;
import org.jspecify.annotations.Nullable;

/**
 * Drops a member once it is known which of the others live: those that have answered their leader
 * since this was asked for, within a second. One that has just died may have answered before; with
 * its vote the change would not end. On a full machine one that lives may need more than a second,
 * so for some seconds more a majority is waited for.
 */
final class Dropping {
  /** A member that has not answered its leader for so long does not count as one that lives. */
  static final Duration ALIVE = Duration.ofSeconds(1);

  /** For so long a majority of those that would be left is waited for, before a refusal. */
  static final Duration MOST = Duration.ofSeconds(3);

  private static final Duration LOOK = Duration.ofMillis(20);

  /** Has something done later. */
  interface Later {
    /**
     * Has it done after a time.
     *
     * @throws RejectedExecutionException the log closes
     */
    void after(Duration time, Runnable what);
  }

  private final Membership membership;
  private final String name;
  private final Later later;
  private final CompletableFuture<Void> done = new CompletableFuture<>();
  private volatile boolean aSecond;
  private volatile boolean over;

  Dropping(Membership membership, String name, Later later) {
    this.membership = membership;
    this.name = name;
    this.later = later;
  }

  /** Completes as {@link GroupLog#dropMember} says. */
  CompletableFuture<Void> begin() {
    try {
      later.after(ALIVE, this::afterASecond);
    } catch (RejectedExecutionException closing) {
      return CompletableFuture.failedFuture(closing);
    }
    look(Duration.ZERO);
    return done;
  }

  /** A pause of the whole JVM does not take from what is left. */
  private void afterASecond() {
    aSecond = true;
    try {
      later.after(MOST.minus(ALIVE), () -> over = true);
    } catch (RejectedExecutionException closing) {
      done.completeExceptionally(closing);
    }
  }

  /** A look so long after it was asked for, or later. */
  private void look(Duration since) {
    Duration within = since.compareTo(ALIVE) < 0 && !aSecond ? since : ALIVE;
    boolean decided =
        aSecond
            ? over || membership.leavesMajority(name, ALIVE)
            : membership.leavesLiving(name, within);
    if (decided) {
      membership.drop(name, within).whenComplete((dropped, error) -> end(error));
      return;
    }
    try {
      later.after(LOOK, () -> look(since.plus(LOOK)));
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
