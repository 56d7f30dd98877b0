package io.alrai.cn.span;

import io.opentelemetry.context.Context;
import io.opentelemetry.sdk.common.CompletableResultCode;
import io.opentelemetry.sdk.trace.ReadWriteSpan;
import io.opentelemetry.sdk.trace.ReadableSpan;
import io.opentelemetry.sdk.trace.SpanProcessor;
import io.opentelemetry.sdk.trace.data.SpanData;
import io.opentelemetry.sdk.trace.export.SpanExporter;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.LongAdder;
import java.util.concurrent.locks.LockSupport;
import java.util.function.LongSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Spans on their way: {@value #MOST_WAITING} wait at most, what comes then is left out. A thread of
 * its own sends them, many at once, and says once a minute why it cannot. Thread-safe.
 */
final class SpanQueue implements SpanProcessor {
  static final int MOST_WAITING = 4_096;
  private static final int MOST_AT_ONCE = 512;

  /** For how long the first of a batch waits for others: each request costs both sides. */
  private static final long GATHER_NANOS = TimeUnit.MILLISECONDS.toNanos(500);

  private static final long SEND_SECONDS = 10;
  private static final long SAY_AGAIN_NANOS = TimeUnit.MINUTES.toNanos(1);
  private static final Logger log = LoggerFactory.getLogger(SpanQueue.class);

  private final ArrayBlockingQueue<SpanData> waiting = new ArrayBlockingQueue<>(MOST_WAITING);
  private final SpanExporter exporter;
  private final String to;
  private final LongAdder sent;
  private final LongAdder lost;
  private final LongSupplier nanoTime;
  private final Thread sender = Thread.ofPlatform().daemon().name("spans").unstarted(this::send);

  /** Owned by the thread that sends. */
  private long saidNanos;

  private volatile boolean closed;

  /**
   * A queue that sends from now on.
   *
   * @param to where, for the log
   */
  SpanQueue(
      SpanExporter exporter, String to, LongAdder sent, LongAdder lost, LongSupplier nanoTime) {
    this.exporter = exporter;
    this.to = to;
    this.sent = sent;
    this.lost = lost;
    this.nanoTime = nanoTime;
    this.saidNanos = nanoTime.getAsLong() - SAY_AGAIN_NANOS;
    sender.start();
  }

  private void send() {
    List<SpanData> batch = new ArrayList<>();
    while (!closed || !waiting.isEmpty()) {
      try {
        SpanData first = waiting.poll(1, TimeUnit.SECONDS);
        if (first != null) {
          awaitMore();
          batch.add(first);
          waiting.drainTo(batch, MOST_AT_ONCE - 1);
          send(List.copyOf(batch));
          batch.clear();
        }
      } catch (InterruptedException e) {
        lost.add(waiting.size());
        return;
      }
    }
  }

  private void awaitMore() throws InterruptedException {
    long end = nanoTime.getAsLong() + GATHER_NANOS;
    long left = GATHER_NANOS;
    while (left > 0 && !closed && waiting.size() < MOST_AT_ONCE - 1) {
      LockSupport.parkNanos(this, left);
      if (Thread.interrupted()) {
        throw new InterruptedException();
      }
      left = end - nanoTime.getAsLong();
    }
  }

  private void send(List<SpanData> batch) {
    String reason = "it does not take them";
    boolean done = false;
    try {
      done = exporter.export(batch).join(SEND_SECONDS, TimeUnit.SECONDS).isSuccess();
    } catch (RuntimeException e) {
      reason = String.valueOf(e);
    }
    (done ? sent : lost).add(batch.size());
    long now = nanoTime.getAsLong();
    if (!done && now - saidNanos >= SAY_AGAIN_NANOS) {
      saidNanos = now;
      log.warn("{} spans could not be sent to {}: {}", batch.size(), to, reason);
    }
  }

  @Override
  public void onStart(Context parent, ReadWriteSpan span) {
    // a span is whole when it begins
  }

  @Override
  public boolean isStartRequired() {
    return false;
  }

  @Override
  public void onEnd(ReadableSpan span) {
    if (closed || !waiting.offer(span.toSpanData())) {
      lost.increment();
    } else if (waiting.size() >= MOST_AT_ONCE - 1) {
      LockSupport.unpark(sender);
    }
  }

  @Override
  public boolean isEndRequired() {
    return true;
  }

  /** Sends what is left, for a second at most. */
  @Override
  public CompletableResultCode shutdown() {
    closed = true;
    LockSupport.unpark(sender);
    try {
      sender.join(1_000);
      sender.interrupt();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
    return exporter.shutdown();
  }
}
