package io.alrai.cn.deadlock;

import io.alrai.cn.commit.SpanningTransactions;
import io.alrai.cn.settings.SessionSettings;
import io.alrai.cn.shard.ShardQueries;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Ends deadlocks over several DNs as long as it is open: where this CN's transaction is the victim
 * it fails with error 1213. A thread of its own; asks no mysqld while none of this CN's
 * transactions waits.
 */
public final class DeadlockDetector implements AutoCloseable {
  private static final Logger log = LoggerFactory.getLogger(DeadlockDetector.class);
  private static final long TICK_NANOS = TimeUnit.MILLISECONDS.toNanos(100);

  private final DnProbes probes;
  private final Deadlocks deadlocks;
  private final Thread thread;
  private volatile boolean closed;

  /**
   * Starts it.
   *
   * @param settings of its connections
   */
  public DeadlockDetector(
      SpanningTransactions spanning, ShardQueries queries, SessionSettings settings) {
    this.probes = new DnProbes(queries, settings);
    this.deadlocks =
        new Deadlocks(
            new WatchedTransactions(spanning, probes),
            probes,
            System::nanoTime,
            LockSupport::parkNanos);
    this.thread = Thread.ofVirtual().name("deadlocks").start(this::run);
  }

  private void run() {
    while (!closed) {
      LockSupport.parkNanos(TICK_NANOS);
      try {
        deadlocks.check();
      } catch (RuntimeException e) {
        log.warn("deadlocks were not looked for", e);
      }
    }
    probes.close();
  }

  @Override
  public void close() {
    closed = true;
    LockSupport.unpark(thread);
    try {
      thread.join(TimeUnit.SECONDS.toMillis(2));
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
