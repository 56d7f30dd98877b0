package io.alrai.common.thread;

import java.util.function.Supplier;

/** What an interrupt of its thread must not keep from being done. Any thread that may block. */
public final class Uninterrupted {
  private Uninterrupted() {}

  /** Does it with an interrupt put aside, which stays. One that comes meanwhile may end it. */
  public static <T> T get(Supplier<T> work) {
    boolean interrupted = Thread.interrupted();
    try {
      return work.get();
    } finally {
      if (interrupted) {
        Thread.currentThread().interrupt();
      }
    }
  }

  /** As {@link #get}, without a result. */
  public static void run(Runnable work) {
    get(() -> {
      work.run();
      return true;
    });
  }
}
