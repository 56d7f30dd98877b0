package io.alrai.dn.xa;

import io.alrai.common.error.AlraiException;
import io.alrai.common.error.ErrorCode;
import io.netty.channel.EventLoop;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;

/** Does something again a little later, until the agent stops. Thread-safe. */
final class Retry implements AutoCloseable {
  private static final long SOON_MILLIS = 5;

  private final EventLoop loop;
  private final long pauseMillis;
  private volatile boolean closed;

  Retry(EventLoop loop, long pauseMillis) {
    this.loop = loop;
    this.pauseMillis = pauseMillis;
  }

  boolean closed() {
    return closed;
  }

  /** Later; {@code done} fails when the agent is stopping. */
  void later(Runnable attempt, CompletableFuture<?> done) {
    in(pauseMillis, attempt, done);
  }

  /** Retries sooner, for what a mysqld is about to make possible. */
  void soon(Runnable attempt, CompletableFuture<?> done) {
    in(SOON_MILLIS, attempt, done);
  }

  private void in(long millis, Runnable attempt, CompletableFuture<?> done) {
    try {
      loop.schedule(attempt, millis, TimeUnit.MILLISECONDS);
    } catch (RejectedExecutionException stopping) {
      done.completeExceptionally(
          new AlraiException(ErrorCode.ER_SERVER_SHUTDOWN, "the agent is stopping", stopping));
    }
  }

  @Override
  public void close() {
    closed = true;
  }
}
