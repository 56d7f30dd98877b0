package io.alrai.common.secret;

import java.time.Duration;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;
import java.util.function.LongSupplier;

/**
 * Passes on what is said of callers that were refused, one sentence in 10 s, as a refused caller
 * tries again at once. Thread-safe.
 */
public final class RareNotice implements Consumer<String> {
  private static final long SILENT_NANOS = Duration.ofSeconds(10).toNanos();

  private final Consumer<String> listener;
  private final LongSupplier nanoTime;
  private final AtomicLong last;

  /** Passes on to a listener, by a monotonic clock. */
  public RareNotice(Consumer<String> listener, LongSupplier nanoTime) {
    this.listener = listener;
    this.nanoTime = nanoTime;
    this.last = new AtomicLong(nanoTime.getAsLong() - SILENT_NANOS);
  }

  @Override
  public void accept(String sentence) {
    long now = nanoTime.getAsLong();
    long before = last.get();
    if (now - before >= SILENT_NANOS && last.compareAndSet(before, now)) {
      listener.accept(sentence);
    }
  }
}
