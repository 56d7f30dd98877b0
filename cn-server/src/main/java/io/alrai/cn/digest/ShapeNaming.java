package io.alrai.cn.digest;

import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;
import java.util.function.LongSupplier;

/** Has shapes named, one after the other, in the background or by whoever reads. Thread-safe. */
final class ShapeNaming {
  /** Whoever reads names shapes for no longer. */
  private static final long MOST_NANOS = TimeUnit.MILLISECONDS.toNanos(500);

  private final Queue<ShapeName> unnamed = new ConcurrentLinkedQueue<>();
  private final AtomicBoolean naming = new AtomicBoolean();
  private final Consumer<ShapeName> names;
  private final Executor background;
  private final LongSupplier nanoTime;

  /**
   * Naming by somebody who asks a mysqld.
   *
   * @param names is without effect for what has its name; it may block
   */
  ShapeNaming(Consumer<ShapeName> names, Executor background, LongSupplier nanoTime) {
    this.names = names;
    this.background = background;
    this.nanoTime = nanoTime;
  }

  /** Names a shape in the background. */
  void later(ShapeName name) {
    unnamed.add(name);
    start();
  }

  /**
   * Names shapes, as many as half a second is enough for, and the others in the background.
   * Blocking.
   */
  void now(List<ShapeName> asked) {
    List<ShapeName> left = new ArrayList<>();
    long begun = nanoTime.getAsLong();
    for (ShapeName name : asked) {
      if (nanoTime.getAsLong() - begun < MOST_NANOS) {
        names.accept(name);
      } else if (name.question() != null) {
        left.add(name);
      }
    }
    if (unnamed.isEmpty()) { // else those of somebody who has read before are on their way
      unnamed.addAll(left);
    }
    start();
  }

  private void start() {
    if (!unnamed.isEmpty() && naming.compareAndSet(false, true)) {
      background.execute(this::nameAll);
    }
  }

  private void nameAll() {
    do {
      try {
        ShapeName next;
        while ((next = unnamed.poll()) != null) {
          names.accept(next);
        }
      } finally {
        naming.set(false);
      }
    } while (!unnamed.isEmpty() && naming.compareAndSet(false, true));
  }
}
