package io.alrai.cn.process;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** What a process has started; closed in the opposite order. One thread. */
public final class Closers implements AutoCloseable {
  private static final Logger log = LoggerFactory.getLogger(Closers.class);

  private final Deque<AutoCloseable> started = new ArrayDeque<>();

  /** Adds what was started last. */
  public <T extends AutoCloseable> T add(T part) {
    started.push(part);
    return part;
  }

  @Override
  public void close() {
    AutoCloseable part;
    while ((part = started.poll()) != null) {
      try {
        part.close();
      } catch (Exception e) {
        log.warn("while stopping", e);
      }
    }
  }

  /**
   * Does something with each, on a virtual thread of its own; returns when all are done.
   *
   * @throws RuntimeException what one of them threw
   */
  public static <T> void together(List<T> all, Consumer<T> work) {
    CompletableFuture<?>[] running =
        all.stream()
            .map(one ->
                CompletableFuture.runAsync(
                    () -> work.accept(one), task -> Thread.ofVirtual().start(task)))
            .toArray(CompletableFuture[]::new);
    try {
      CompletableFuture.allOf(running).join();
    } catch (CompletionException e) {
      throw e.getCause() instanceof RuntimeException known ? known : e;
    }
  }
}
