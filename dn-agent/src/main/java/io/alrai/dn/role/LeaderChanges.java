package io.alrai.dn.role;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The changes of the leader that a member is asked for, one at a time. Thread-safe. */
final class LeaderChanges {
  private static final Logger log = LoggerFactory.getLogger(LeaderChanges.class);

  /** For the last statements, and an election. */
  static final Duration BOUND = Duration.ofSeconds(6);

  private final String name;
  private final Runnable changed;

  @GuardedBy("this")
  private @Nullable LeaderChange wanted;

  /**
   * Nothing is wanted yet.
   *
   * @param name of the member
   * @param changed called when something is wanted
   */
  LeaderChanges(String name, Runnable changed) {
    this.name = name;
    this.changed = changed;
  }

  /** Asks for another leader; completes when that is elected, fails when it is not. */
  CompletableFuture<Void> ask(String to) {
    LeaderChange change = new LeaderChange(to);
    synchronized (this) {
      if (wanted != null) {
        change.refuse("another change of the leader of " + name + "'s group is at work");
        return change.done();
      }
      wanted = change;
    }
    change.done().whenComplete((done, error) -> over());
    changed.run();
    return change.done();
  }

  private synchronized void over() {
    wanted = null;
  }

  /** What is wanted and not over. */
  synchronized Optional<LeaderChange> wanted() {
    return Optional.ofNullable(wanted);
  }

  /** The member does not lead. */
  void refuse() {
    wanted().ifPresent(change -> change.refuse(name + " does not lead its group"));
  }

  /**
   * Asks one after the other to lead until one does.
   *
   * @param leads whether this one does
   */
  void leave(List<String> others, BooleanSupplier leads) {
    for (String other : others) {
      if (!leads.getAsBoolean()) {
        return;
      }
      try {
        ask(other).get(BOUND.toMillis(), TimeUnit.MILLISECONDS);
        return;
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
        return;
      } catch (ExecutionException | TimeoutException e) {
        log.warn("{}: {} does not lead instead: {}", name, other, e.toString());
      }
    }
  }
}
