package io.alrai.columnar.version;

import io.alrai.common.time.HlcTimestamp;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.PriorityQueue;
import java.util.concurrent.CompletableFuture;

/**
 * Up to where the stream of a DN has been applied: no transaction will come any more with a stamp
 * at or below it. Thread-safe; nobody waits in it.
 */
public final class ResolvedTimestamp {
  private record Waiter(long at, CompletableFuture<Void> reached) {}

  private final PriorityQueue<Waiter> waiters =
      new PriorityQueue<>(Comparator.comparingLong(Waiter::at));
  private volatile long value;

  /** How far the stream has come. */
  public HlcTimestamp value() {
    return new HlcTimestamp(value);
  }

  /** The stream has come so far; what was there before is no step back. On the feed's thread. */
  public void advance(HlcTimestamp to) {
    List<CompletableFuture<Void>> ready = new ArrayList<>();
    synchronized (waiters) {
      value = Math.max(value, to.value());
      for (Waiter first = waiters.peek();
          first != null && (first.at() <= value || first.reached().isDone());
          first = waiters.peek()) {
        waiters.remove();
        ready.add(first.reached());
      }
    }
    ready.forEach(future -> future.complete(null));
  }

  /** Completes when the stream has come to a timestamp: at once, or within {@link #advance}. */
  public CompletableFuture<Void> reached(HlcTimestamp at) {
    synchronized (waiters) {
      if (at.value() > value) {
        Waiter waiter = new Waiter(at.value(), new CompletableFuture<>());
        waiters.add(waiter);
        return waiter.reached();
      }
    }
    return CompletableFuture.completedFuture(null);
  }
}
