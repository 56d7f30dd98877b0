package io.alrai.common.thread;

import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;

/** Threads for short work beside event loops. Any thread. */
public final class BoundedThreads {
  private static final long IDLE_SECONDS = 30;

  private BoundedThreads() {}

  /**
   * Daemons that end after 30 s without work.
   *
   * @param name what their names begin with
   * @param most how many there are at most
   * @param waiting how much work waits at most; more is refused with a RejectedExecutionException
   */
  public static ThreadPoolExecutor named(String name, int most, int waiting) {
    ThreadPoolExecutor threads =
        new ThreadPoolExecutor(
            most,
            most,
            IDLE_SECONDS,
            TimeUnit.SECONDS,
            new LinkedBlockingQueue<>(waiting),
            Thread.ofPlatform().daemon().name(name, 0).factory());
    threads.allowCoreThreadTimeOut(true);
    return threads;
  }
}
