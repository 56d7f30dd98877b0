package io.alrai.cn.ddl.job;

import java.util.Comparator;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * A job that a thread of this CN works on: the steps it waits for now, and its end by KILL or
 * CANCEL DDL, which interrupts the thread. Thread-safe.
 */
public final class JobAtWork implements AutoCloseable {
  private final JobsAtWork jobs;
  private final long id;
  private final LongSupplier nanos;
  private final Set<JobStep> steps = ConcurrentHashMap.newKeySet();

  /** Null after the end; guarded by this object's lock, as are the fields that follow. */
  private @Nullable Thread runner = Thread.currentThread();

  private boolean goesBack;

  JobAtWork(JobsAtWork jobs, long id, LongSupplier nanos) {
    this.jobs = jobs;
    this.id = id;
    this.nanos = nanos;
  }

  long id() {
    return id;
  }

  /** A step begins; close it after its end. */
  JobStep begin(String where, String what) {
    JobStep step = new JobStep(this, where, what, nanos.getAsLong());
    steps.add(step);
    return step;
  }

  /** It has failed for good. */
  void failed() {
    jobs.failures().increment();
  }

  void ended(JobStep step) {
    steps.remove(step);
  }

  /** Now, as steps have it. */
  public long nanos() {
    return nanos.getAsLong();
  }

  /** What it waits for now, the oldest first. */
  public List<JobStep> steps() {
    long now = nanos();
    return steps.stream()
        .sorted(Comparator.<JobStep>comparingLong(step -> step.ageNanos(now)).reversed())
        .toList();
  }

  /** The job was cancelled: ends what it does now, once, unless it rolls back already. */
  synchronized void cancel() {
    if (!goesBack) {
      goesBack = true;
      endStep();
    }
  }

  /** Ends what it does now. A step of rolling back is tried again later. */
  public synchronized void endStep() {
    Thread working = runner;
    if (working != null) {
      working.interrupt();
    }
  }

  /**
   * It rolls back from now on. Its thread; takes the interrupt that brought it here away.
   *
   * @return whether there was one
   */
  public synchronized boolean back() {
    goesBack = true;
    return Thread.interrupted();
  }

  @Override
  public void close() {
    synchronized (this) {
      runner = null;
    }
    jobs.ended(this);
  }
}
