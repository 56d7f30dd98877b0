package io.alrai.executor.task;

import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.atomic.LongAdder;

/** Counts what is spilled, and does something once it is so much: by the thread that spills. */
final class SpilledBytes extends LongAdder {
  private static final long serialVersionUID = 1L;

  private final transient AtomicReference<Runnable> action = new AtomicReference<>(() -> {});
  private volatile long at = Long.MAX_VALUE;

  /** Runs the action when these bytes more have been spilled. */
  void after(long bytes, Runnable next) {
    action.set(next);
    at = sum() + bytes;
  }

  @Override
  public void add(long bytes) {
    super.add(bytes);
    if (sum() >= at) {
      at = Long.MAX_VALUE;
      action.getAndSet(() -> {}).run();
    }
  }
}
