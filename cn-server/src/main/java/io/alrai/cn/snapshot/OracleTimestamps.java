package io.alrai.cn.snapshot;

import io.alrai.common.error.AlraiException;
import io.alrai.common.error.ErrorCode;
import io.alrai.common.metrics.Metric;
import io.alrai.common.metrics.Metrics;
import io.alrai.common.time.HlcTimestamp;
import io.alrai.dn.clock.NodeClock;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.IntFunction;

/**
 * {@code TSO}: the timestamps of the GMS' leader. One request of a CN is in flight; callers that
 * ask meanwhile share the next. Futures complete on the thread that asks.
 */
public final class OracleTimestamps implements TimestampSource, AutoCloseable {
  private static final int MOST_AT_ONCE = 10_000;

  private final IntFunction<HlcTimestamp> oracle;
  private final NodeClock clock;
  private final BlockingQueue<CompletableFuture<HlcTimestamp>> waiting =
      new LinkedBlockingQueue<>();

  /** The largest that a DN has shown when it refused a snapshot. */
  private final AtomicLong shown = new AtomicLong();

  private final LongAdder requests;
  private final LongAdder timestamps;
  private final Thread asker;
  private volatile boolean closed;

  /**
   * Timestamps of a GMS.
   *
   * @param oracle takes that many in a row and returns the lowest; blocks
   * @param clock this node's, by which timestamps of others are checked
   */
  public OracleTimestamps(IntFunction<HlcTimestamp> oracle, NodeClock clock, Metrics metrics) {
    this.oracle = oracle;
    this.clock = clock;
    this.requests = metrics.adder(Metric.TSO_REQUESTS);
    this.timestamps = metrics.adder(Metric.TSO_TIMESTAMPS);
    this.asker = Thread.ofVirtual().name("timestamps").start(this::work);
  }

  @Override
  public CompletableFuture<HlcTimestamp> snapshot(int aheadMillis) {
    long known = shown.get();
    return next().thenApply(now -> TimestampSource.ahead(now.value(), known, aheadMillis));
  }

  @Override
  public CompletableFuture<HlcTimestamp> commit(HlcTimestamp prepared) {
    return next().thenApply(now -> now.compareTo(prepared) > 0 ? now : prepared);
  }

  @Override
  public void follow(HlcTimestamp seen) {
    clock.update(seen);
    shown.accumulateAndGet(seen.value(), Math::max);
  }

  private CompletableFuture<HlcTimestamp> next() {
    CompletableFuture<HlcTimestamp> mine = new CompletableFuture<>();
    waiting.add(mine);
    if (closed) {
      failWaiting();
    }
    return mine;
  }

  private void work() {
    List<CompletableFuture<HlcTimestamp>> batch = new ArrayList<>();
    while (!closed) {
      try {
        batch.add(waiting.take());
      } catch (InterruptedException closing) {
        break;
      }
      waiting.drainTo(batch, MOST_AT_ONCE - 1);
      ask(batch);
      batch.clear();
    }
    failWaiting();
  }

  private void failWaiting() {
    CompletableFuture<HlcTimestamp> next;
    while ((next = waiting.poll()) != null) {
      next.completeExceptionally(
          new AlraiException(ErrorCode.ALRAI_NODE_UNAVAILABLE, "this CN is stopping"));
    }
  }

  private void ask(List<CompletableFuture<HlcTimestamp>> batch) {
    long first;
    try {
      first = oracle.apply(batch.size()).value();
    } catch (RuntimeException unavailable) {
      AlraiException reason = AlraiException.causeOf(unavailable);
      batch.forEach(one -> one.completeExceptionally(reason));
      return;
    }
    requests.increment();
    timestamps.add(batch.size());
    for (int i = 0; i < batch.size(); i++) {
      batch.get(i).complete(new HlcTimestamp(first + i));
    }
  }

  /** Whoever still waits gets an error. */
  @Override
  public void close() {
    closed = true;
    asker.interrupt();
  }
}
