package io.alrai.gms.client;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import io.alrai.common.error.AlraiException;
import io.alrai.gms.api.Catalog;
import io.alrai.gms.catalog.CatalogState;
import io.alrai.gms.command.Answer;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A copy of the leader's catalog that follows it by the same commands and the same rules. When its
 * version is not the leader's after a step, the two have different rules, and it takes the whole
 * catalog instead. Thread-safe.
 */
final class WatchedCatalog {
  private static final Logger LOG = LoggerFactory.getLogger(WatchedCatalog.class);

  private final Object lock = new Object();

  @GuardedBy("lock")
  private final List<Consumer<Catalog>> listeners = new ArrayList<>();

  @GuardedBy("lock")
  private long leastVersion;

  private volatile Answer.Whole latest = new Answer.Whole(-1, Catalog.EMPTY);
  private volatile boolean wholeNeeded = true;

  Catalog catalog() {
    return latest.catalog();
  }

  /** The catalog of which the listeners have been notified. */
  Catalog toldCatalog() {
    synchronized (lock) {
      return latest.catalog();
    }
  }

  /** What to ask the leader with: the last change that is here, or -1 when all is needed. */
  long known() {
    return wholeNeeded ? -1 : latest.change();
  }

  void onChange(Consumer<Catalog> listener) {
    synchronized (lock) {
      listeners.add(listener);
    }
  }

  /**
   * The GMS goes on in another generation, by another log: all that is here is older than its
   * catalog, whatever its number is.
   *
   * @param least the lowest version that a catalog of that generation has
   */
  void beginAnew(long least) {
    synchronized (lock) {
      leastVersion = least;
      latest = new Answer.Whole(-1, latest.catalog());
      wholeNeeded = true;
    }
  }

  /** Whether what is here is of an earlier generation. */
  boolean isOlder() {
    synchronized (lock) {
      return latest.catalog().version() < leastVersion;
    }
  }

  /** Takes over what is new in an answer to a watch; old answers change nothing. */
  void merge(Answer.OfWatch answer) {
    synchronized (lock) {
      switch (answer) {
        case Answer.Whole whole -> {
          if (whole.catalog().version() < leastVersion) {
            return;
          }
          wholeNeeded = false;
          if (whole.change() > latest.change()) {
            replace(whole);
          }
        }
        case Answer.Steps steps -> {
          for (Answer.Step step : steps.steps()) {
            if (step.change() > latest.change() && !wholeNeeded) {
              follow(step);
            }
          }
        }
      }
    }
  }

  @GuardedBy("lock")
  private void follow(Answer.Step step) {
    Catalog next;
    try {
      next = new CatalogState(latest.catalog(), Map.of()).apply(step.command()).catalog();
    } catch (AlraiException e) {
      LOG.info("the leader applied what the rules here refuse: {}", e.sentence());
      wholeNeeded = true;
      return;
    }
    if (next.version() != step.version()) {
      LOG.info("version {} here, {} at the leader", next.version(), step.version());
      wholeNeeded = true;
      return;
    }
    replace(new Answer.Whole(step.change(), next));
  }

  @GuardedBy("lock")
  private void replace(Answer.Whole next) {
    latest = next;
    for (Consumer<Catalog> listener : listeners) {
      try {
        listener.accept(next.catalog());
      } catch (RuntimeException e) {
        // The listener's defect must not keep this copy from following the leader.
        LOG.error("a listener to the catalog failed at {}", next.catalog().version(), e);
      }
    }
  }
}
