package io.alrai.cn.ending;

import io.netty.channel.EventLoop;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The end of what a command runs, by KILL QUERY: what waits for a thread or for a branch cannot be
 * ended before it has begun, so it is tried for a minute until there was something, or the command
 * has ended. Event loop only.
 */
public final class CommandKill implements Runnable {
  private static final Logger log = LoggerFactory.getLogger(CommandKill.class);
  private static final int SOON_MILLIS = 5;
  private static final int LATER_MILLIS = 100;

  /** For how long it is likely that something begins at once. */
  private static final long SOON_NANOS = TimeUnit.SECONDS.toNanos(1);

  /** How long it is tried. */
  static final long PATIENCE_NANOS = TimeUnit.SECONDS.toNanos(60);

  private final EventLoop loop;
  private final BooleanSupplier isOver;
  private final BooleanSupplier end;
  private final Runnable unheard;
  private final long begunNanos = System.nanoTime();

  /**
   * A KILL.
   *
   * @param isOver whether the command has ended
   * @param end ends what there is, and says whether there was something
   * @param unheard runs when nothing was found
   */
  public CommandKill(
      EventLoop loop, BooleanSupplier isOver, BooleanSupplier end, Runnable unheard) {
    this.loop = loop;
    this.isOver = isOver;
    this.end = end;
    this.unheard = unheard;
  }

  @Override
  public void run() {
    if (isOver.getAsBoolean() || end.getAsBoolean()) {
      return;
    }
    long tried = System.nanoTime() - begunNanos;
    if (tried > PATIENCE_NANOS) {
      unheard.run();
      return;
    }
    loop.schedule(this, tried < SOON_NANOS ? SOON_MILLIS : LATER_MILLIS, TimeUnit.MILLISECONDS);
  }

  /** Logs where a statement is that does not end. */
  public static void tell(int session, String what, String where) {
    log.warn("session {}: {}{}", session, what, where);
  }
}
