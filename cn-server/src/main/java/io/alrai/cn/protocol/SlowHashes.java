package io.alrai.cn.protocol;

import io.alrai.common.error.AlraiException;
import io.alrai.common.error.ErrorCode;
import java.util.concurrent.Executor;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;

/**
 * Threads for what of a login takes a processor for milliseconds: half as many as there are
 * processors, so that statements go on, however many log in at once. Thread-safe.
 */
public final class SlowHashes implements Executor, AutoCloseable {
  private static final long IDLE_SECONDS = 30;

  /** What waits after more would be too late for its login. */
  private static final int MOST_WAITING = 2048;

  private final ThreadPoolExecutor threads;

  /** They end when there is nothing to do for a while. */
  public SlowHashes() {
    int most = Math.max(1, Runtime.getRuntime().availableProcessors() / 2);
    threads =
        new ThreadPoolExecutor(
            most,
            most,
            IDLE_SECONDS,
            TimeUnit.SECONDS,
            new LinkedBlockingQueue<>(MOST_WAITING),
            Thread.ofPlatform().daemon().name("password-", 0).factory());
    threads.allowCoreThreadTimeOut(true);
  }

  /**
   * Runs something there.
   *
   * @throws AlraiException 1040 when too much waits already
   */
  @Override
  public void execute(Runnable work) {
    try {
      threads.execute(work);
    } catch (RejectedExecutionException e) {
      throw new AlraiException(ErrorCode.ER_CON_COUNT_ERROR, "Too many connections", e);
    }
  }

  @Override
  public void close() {
    threads.shutdownNow();
  }
}
