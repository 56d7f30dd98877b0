package io.alrai.cn.health;

import io.alrai.cn.net.CnServer;
import io.alrai.cn.session.SessionRegistry;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import java.util.function.LongSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Ends a CN's sessions before its process ends. What takes longer than it may is ended by {@link
 * CnServer#close}.
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

  private final CnServer server;
  private final SessionRegistry sessions;
  private final DrainBounds bounds;
  private final LongSupplier nanoTime;

  /**
   * To be closed before the server is, and after the CN has said that it is not ready.
   *
   * @param nanoTime as {@link System#nanoTime}
   */
  public Drain(
      CnServer server, SessionRegistry sessions, DrainBounds bounds, LongSupplier nanoTime) {
    this.server = server;
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
      server.listenNoMore();
      int there = sessions.all().size();
      sessions.all().forEach(SessionRegistry.Entry::endAfterTransaction);
      long most = TimeUnit.SECONDS.toMillis(bounds.mostSeconds());
      long quiet = Math.min(most, QUIET_MILLIS);
      if (!await(this::isEmpty, quiet)) {
        await(this::endQuiet, most - quiet);
      }
      log.info("{} of {} sessions have ended in order", there - sessions.all().size(), there);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private boolean isEmpty() {
    return sessions.all().isEmpty();
  }

  private boolean endQuiet() {
    sessions.all().forEach(SessionRegistry.Entry::endQuiet);
    return isEmpty();
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
