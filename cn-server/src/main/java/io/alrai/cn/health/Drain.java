package io.alrai.cn.health;

import io.alrai.cn.session.SessionRegistry;
import java.util.HashSet;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import java.util.function.LongSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Ends a CN's sessions before its process ends. What takes longer than it may is ended by whoever
 * closes its endpoint. Used by one thread.
 *
 * <pre>
 *   still lets clients in -> listens no more; each session ends after its transaction,
 *   with 1053 for its client's next command -> those whose clients send nothing end, too
 * </pre>
 */
public final class Drain implements AutoCloseable {
  private static final Logger log = LoggerFactory.getLogger(Drain.class);
  private static final long LOOK_MILLIS = 20;

  /** For so long a client's next command is waited for: one that crosses its end is a lost one. */
  private static final long QUIET_MILLIS = 1_000;

  private final Runnable listenNoMore;
  private final SessionRegistry sessions;
  private final DrainBounds bounds;
  private final LongSupplier nanoTime;
  private final Set<SessionRegistry.Entry> told = new HashSet<>();

  /**
   * To be closed before the endpoint is, and after the CN has said that it is not ready.
   *
   * @param listenNoMore has the endpoint let nobody in any more
   * @param nanoTime as {@link System#nanoTime}
   */
  public Drain(
      Runnable listenNoMore, SessionRegistry sessions, DrainBounds bounds, LongSupplier nanoTime) {
    this.listenNoMore = listenNoMore;
    this.sessions = sessions;
    this.bounds = bounds;
    this.nanoTime = nanoTime;
  }

  @Override
  public void close() {
    if (bounds.isNone()) {
      return;
    }
    try {
      await(() -> false, TimeUnit.SECONDS.toMillis(bounds.listenSeconds()));
      listenNoMore.run();
      long most = TimeUnit.SECONDS.toMillis(bounds.mostSeconds());
      long quiet = Math.min(most, QUIET_MILLIS);
      if (!await(this::endAfterTransactions, quiet)) {
        await(this::endQuiet, most - quiet);
      }
      int left = sessions.all().size();
      log.info("{} of {} sessions have ended in order", told.size() - left, told.size());
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  /** Tells each once; also clients that were in the middle of their login. */
  private boolean endAfterTransactions() {
    for (SessionRegistry.Entry entry : sessions.all()) {
      if (told.add(entry)) {
        entry.endAfterTransaction();
      }
    }
    return sessions.all().isEmpty();
  }

  private boolean endQuiet() {
    sessions.all().forEach(SessionRegistry.Entry::endQuiet);
    return endAfterTransactions();
  }

  private boolean await(BooleanSupplier done, long millis) throws InterruptedException {
    long end = nanoTime.getAsLong() + TimeUnit.MILLISECONDS.toNanos(millis);
    while (!done.getAsBoolean()) {
      if (nanoTime.getAsLong() - end >= 0) {
        return false;
      }
      TimeUnit.MILLISECONDS.sleep(LOOK_MILLIS);
    }
    return true;
  }
}
