package io.alrai.cn.shard;

import io.alrai.common.error.AlraiException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.BooleanSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A virtual thread's wait for what its session's event loop does with the transaction. It is not
 * interrupted, as the session must know how its transaction is; but a session that is gone does not
 * wait for ever, as its transaction was given up.
 */
public final class LoopWait {
  private static final Logger log = LoggerFactory.getLogger(LoopWait.class);

  /** How long a session waits whose client has left. */
  private static final long GONE_MILLIS = 10_000;

  private static final long LOOK_MILLIS = 500;

  private final BooleanSupplier gone;
  private final long goneMillis;

  public LoopWait(BooleanSupplier gone) {
    this(gone, GONE_MILLIS);
  }

  public LoopWait(BooleanSupplier gone, long goneMillis) {
    this.gone = gone;
    this.goneMillis = goneMillis;
  }

  /**
   * Waits.
   *
   * @throws AlraiException what it failed with; 1317 when the session is gone and it does not come
   */
  public <T> T on(CompletableFuture<T> done) {
    boolean interrupted = false;
    long goneNanos = 0;
    try {
      while (true) {
        try {
          return done.get(Math.min(LOOK_MILLIS, goneMillis), TimeUnit.MILLISECONDS);
        } catch (ExecutionException e) {
          throw AlraiException.causeOf(e);
        } catch (InterruptedException e) {
          interrupted = true;
        } catch (TimeoutException e) {
          if (!gone.getAsBoolean()) {
            continue;
          }
          long now = System.nanoTime();
          goneNanos = goneNanos == 0 ? now : goneNanos;
          if (now - goneNanos > TimeUnit.MILLISECONDS.toNanos(goneMillis)) {
            log.warn("a session whose client is gone does not wait for its transaction any more");
            throw AlraiException.interruption(e);
          }
        }
      }
    } finally {
      if (interrupted) {
        Thread.currentThread().interrupt();
      }
    }
  }
}
