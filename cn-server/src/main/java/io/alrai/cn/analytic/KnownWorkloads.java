package io.alrai.cn.analytic;

import io.alrai.executor.fragment.Plan;
import io.alrai.optimizer.api.AnalyticalAnswer;
import io.alrai.optimizer.api.workload.Workload;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;

/**
 * Where statements of a shape went last, so that those of the row store are not planned twice. Only
 * a guess: values differ, tables grow and indexes become ready, so it is forgotten after a while.
 * Thread-safe.
 */
final class KnownWorkloads {
  private static final long KEPT_NANOS = TimeUnit.SECONDS.toNanos(5);
  private static final int MOST = 4_096;

  /** Where they went. */
  enum Way {
    /** Nobody looked. */
    UNKNOWN,
    /** Column indexes cannot answer them. */
    ROWS_ONLY,
    /** Column indexes can answer them, but the row store is faster. */
    TP,
    /** Column indexes. */
    AP
  }

  private record Known(Way way, long atNanos) {}

  /** Plans of the row store are kept for their shape, so that one is one shape. */
  private record Shape(Plan.Select select) {
    @Override
    public boolean equals(Object other) {
      return other instanceof Shape that && select == that.select;
    }

    @Override
    public int hashCode() {
      return System.identityHashCode(select);
    }
  }

  private final Map<Shape, Known> known = new ConcurrentHashMap<>();
  private final LongSupplier clock;

  /**
   * Nothing is known at first.
   *
   * @param clock nanoseconds from any start
   */
  KnownWorkloads(LongSupplier clock) {
    this.clock = clock;
  }

  /** Where the statements of a plan went. */
  Way of(Plan.Select select) {
    Known last = known.get(new Shape(select));
    return last == null || clock.getAsLong() - last.atNanos() > KEPT_NANOS
        ? Way.UNKNOWN
        : last.way();
  }

  /** Whether the last one went to the row store, however long ago. */
  boolean wasTransactional(Plan.Select select) {
    Known last = known.get(new Shape(select));
    return last != null && last.way() != Way.AP;
  }

  /** A statement was examined. */
  void learn(Plan.Select select, Examined examined) {
    boolean covered = examined.answer() instanceof AnalyticalAnswer.Planned;
    boolean analytical = examined.choice().workload() == Workload.AP;
    learn(select, covered ? (analytical ? Way.AP : Way.TP) : Way.ROWS_ONLY);
  }

  /** The executor has refused a statement. */
  void refused(Plan.Select select) {
    learn(select, Way.ROWS_ONLY);
  }

  private void learn(Plan.Select select, Way way) {
    if (known.size() >= MOST) {
      known.clear();
    }
    known.put(new Shape(select), new Known(way, clock.getAsLong()));
  }
}
