package io.alrai.executor.timeslice;

import io.alrai.common.thread.ProcessorTimes;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;

/**
 * What transactions leave of the processors to analytical work: what is idle and what it has
 * already, less a reserve. It falls at once and grows by steps, and is never less than a floor.
 * While hardly any transactional statements come there is no limit. One thread.
 *
 * <pre>
 *              statements
 *   no limit -------------> measures --a period later--> limited
 *      ^                                                    |
 *      \-------------------- none for a second ------------/
 * </pre>
 */
public final class SpareProcessors {
  /** How often to look. */
  public static final long PERIOD_NANOS = TimeUnit.MILLISECONDS.toNanos(200);

  private static final long LATELY_NANOS = TimeUnit.SECONDS.toNanos(1);

  /** A single statement in a period is of a monitor, or a pool that looks after its connections. */
  private static final int LEAST_STATEMENTS = 2;

  /** Parts of all processors. */
  private static final double RESERVE = 0.2;

  private static final double FLOOR = 0.03;
  private static final double GROWTH = 1.25;

  /** What was seen the last time. */
  private record Seen(ProcessorTimes times, long spentNanos, long atNanos) {}

  private final Supplier<Optional<ProcessorTimes>> times;
  private Optional<Seen> seen = Optional.empty();
  private long statements;
  private long busyNanos;
  private boolean busy;
  private double processors;

  /**
   * No limit yet.
   *
   * @param times of the machine; empty where nobody knows them, and there is no limit then
   */
  public SpareProcessors(Supplier<Optional<ProcessorTimes>> times) {
    this.times = times;
  }

  /**
   * Looks; once in a period.
   *
   * @param nowNanos from any start
   * @param statementsNow how many transactional statements there were in all
   * @param spentNanos processor time that analytical work has had in all
   * @return how many processors it may have, on average; 0: no limit
   */
  public double look(long nowNanos, long statementsNow, long spentNanos) {
    if (statementsNow - statements >= LEAST_STATEMENTS) {
      busyNanos = nowNanos;
      busy = true;
    }
    statements = statementsNow;
    busy &= nowNanos - busyNanos < LATELY_NANOS;
    Optional<Seen> before = seen;
    seen = busy ? times.get().map(now -> new Seen(now, spentNanos, nowNanos)) : Optional.empty();
    if (seen.isEmpty()) {
      processors = 0;
    } else if (before.isPresent()) {
      follow(before.get(), seen.get());
    }
    return processors;
  }

  private void follow(Seen before, Seen now) {
    long all = now.times().all() - before.times().all();
    long nanos = now.atNanos() - before.atNanos();
    if (all <= 0 || nanos <= 0) {
      return;
    }
    int count = now.times().processors();
    double idle = count * (double) (now.times().idle() - before.times().idle()) / all;
    double had = (double) (now.spentNanos() - before.spentNanos()) / nanos;
    double most = processors > 0 ? processors * GROWTH : count;
    double spare = Math.min(most, idle + had - RESERVE * count);
    processors = Math.max(FLOOR * count, spare);
  }
}
