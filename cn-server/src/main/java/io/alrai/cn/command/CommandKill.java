package io.alrai.cn.command;

import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The end of what a command runs, by KILL QUERY: what waits for a thread or for a branch cannot be
 * ended before it has begun, so it is tried for a minute until there was something, or the command
 * has ended. Event loop only.
 */
final class CommandKill implements Runnable {
  private static final Logger log = LoggerFactory.getLogger(CommandKill.class);
  private static final int SOON_MILLIS = 5;
  private static final int LATER_MILLIS = 100;

  /** For how long it is likely that something begins at once. */
  private static final long SOON_NANOS = TimeUnit.SECONDS.toNanos(1);

  /** How long it is tried. */
  static final long PATIENCE_NANOS = TimeUnit.SECONDS.toNanos(60);

  private final ClientConnection connection;
  private final BooleanSupplier isOver;
  private final BooleanSupplier end;
  private final long begunNanos = System.nanoTime();

  /**
   * A KILL.
   *
   * @param isOver whether the command has ended
   * @param end ends what there is, and says whether there was something
   */
  CommandKill(ClientConnection connection, BooleanSupplier isOver, BooleanSupplier end) {
    this.connection = connection;
    this.isOver = isOver;
    this.end = end;
  }

  @Override
  public void run() {
    if (isOver.getAsBoolean() || end.getAsBoolean()) {
      return;
    }
    long tried = System.nanoTime() - begunNanos;
    if (tried > PATIENCE_NANOS) {
      connection.unheard("KILL QUERY has found nothing to end");
      return;
    }
    connection
        .loop()
        .schedule(this, tried < SOON_NANOS ? SOON_MILLIS : LATER_MILLIS, TimeUnit.MILLISECONDS);
  }

  /** Logs where a statement is that does not end. */
  static void tell(int session, String what, String where) {
    log.warn("session {}: {}{}", session, what, where);
  }
}
