package io.alrai.cn.process;

import java.util.ArrayDeque;
import java.util.Deque;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** What a process has started; closed in the opposite order. One thread. */
final class Closers implements AutoCloseable {
  private static final Logger log = LoggerFactory.getLogger(Closers.class);

  private final Deque<AutoCloseable> started = new ArrayDeque<>();

  /** Adds what was started last. */
  <T extends AutoCloseable> T add(T part) {
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
}
