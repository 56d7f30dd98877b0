package io.alrai.gms.raft;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import io.alrai.gms.api.Catalog;
import io.alrai.gms.command.Answer;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The catalog as one node has it, for those who follow it: the last changes as steps, everything
 * for those who are further behind. One thread publishes, any thread watches.
 */
public final class ChangeFeed {
  /** How many steps are kept for followers. */
  static final int KEPT = 512;

  private static final Logger LOG = LoggerFactory.getLogger(ChangeFeed.class);

  private final Object lock = new Object();

  @GuardedBy("lock")
  private final Deque<Answer.Step> steps = new ArrayDeque<>();

  @GuardedBy("lock")
  private final Map<Long, CompletableFuture<Answer>> waiting = new HashMap<>();

  @GuardedBy("lock")
  private final List<Consumer<Catalog>> listeners = new ArrayList<>();

  @GuardedBy("lock")
  private long tickets;

  /** Changes up to this one are no longer, or were never, among the steps. */
  @GuardedBy("lock")
  private long stepsAbove = -1;

  private volatile Answer.Whole latest = new Answer.Whole(-1, Catalog.EMPTY);

  /** The catalog after the last change. */
  public Catalog catalog() {
    return latest.catalog();
  }

  /** Log index of the last change. */
  long change() {
    return latest.change();
  }

  /** Called after every change, on the publishing thread; must not block. */
  public void onChange(Consumer<Catalog> listener) {
    synchronized (lock) {
      listeners.add(listener);
    }
  }

  /** Starts over from a snapshot. */
  void reset(long change, Catalog catalog) {
    synchronized (lock) {
      steps.clear();
      stepsAbove = change;
      latest = new Answer.Whole(change, catalog);
    }
    announce(catalog);
  }

  /** Adds one change. */
  void publish(Answer.Step step, Catalog catalog) {
    synchronized (lock) {
      steps.add(step);
      if (steps.size() > KEPT) {
        stepsAbove = steps.remove().change();
      }
      latest = new Answer.Whole(step.change(), catalog);
    }
    announce(catalog);
  }

  /**
   * Answers everybody who waits with what there is, for example because they ask the wrong node.
   */
  void release() {
    List<CompletableFuture<Answer>> released;
    synchronized (lock) {
      released = List.copyOf(waiting.values());
      waiting.clear();
    }
    released.forEach(one -> one.complete(new Answer.Steps(-1, List.of())));
  }

  /** The changes after {@code known}, everything for -1; at the latest after the wait. */
  CompletableFuture<Answer> watch(long known, long waitMillis) {
    CompletableFuture<Answer> later = new CompletableFuture<>();
    long ticket;
    synchronized (lock) {
      Optional<Answer> now = after(known);
      if (now.isPresent()) {
        return CompletableFuture.completedFuture(now.get());
      }
      if (waitMillis <= 0) {
        return CompletableFuture.completedFuture(new Answer.Steps(latest.change(), List.of()));
      }
      ticket = tickets++;
      waiting.put(ticket, later);
    }
    later.completeOnTimeout(new Answer.Steps(-1, List.of()), waitMillis, TimeUnit.MILLISECONDS);
    // Whoever was woken looks again: the changes may be many by then.
    return later.thenApply(nothing -> {
      synchronized (lock) {
        waiting.remove(ticket);
        return after(known).orElse(new Answer.Steps(latest.change(), List.of()));
      }
    });
  }

  @GuardedBy("lock")
  private Optional<Answer> after(long known) {
    if (known >= latest.change()) {
      return Optional.empty();
    }
    if (known < 0 || known < stepsAbove) {
      return Optional.of(latest);
    }
    return Optional.of(
        new Answer.Steps(
            latest.change(), steps.stream().filter(step -> step.change() > known).toList()));
  }

  private void announce(Catalog catalog) {
    List<Consumer<Catalog>> told;
    synchronized (lock) {
      told = List.copyOf(listeners);
    }
    for (Consumer<Catalog> listener : told) {
      try {
        listener.accept(catalog);
      } catch (RuntimeException e) {
        // The listener's defect must not stop the node from applying its log.
        LOG.error("a listener to the catalog failed at version {}", catalog.version(), e);
      }
    }
    release();
  }
}
