package io.alrai.cn.ddl.job;

import io.alrai.gms.api.Catalog;
import io.alrai.gms.api.DdlJob;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.LongSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The DDL jobs that this CN works on. Thread-safe. */
public final class JobsAtWork {
  private static final Logger log = LoggerFactory.getLogger(JobsAtWork.class);

  /** A step that takes longer is logged, and again after each such time. */
  private static final long LONG_NANOS = TimeUnit.SECONDS.toNanos(60);

  private static final double MILLIS = 1e3;

  private final LongSupplier nanos;
  private final LongSupplier wallMillis;
  private final Runnable onLongStep;
  private final Map<Long, JobAtWork> jobs = new ConcurrentHashMap<>();
  private final LongAdder failures = new LongAdder();

  /**
   * No jobs yet.
   *
   * @param nanos as {@link System#nanoTime}
   * @param wallMillis milliseconds since 1970
   * @param onLongStep counts what {@link #look} tells
   */
  public JobsAtWork(LongSupplier nanos, LongSupplier wallMillis, Runnable onLongStep) {
    this.nanos = nanos;
    this.wallMillis = wallMillis;
    this.onLongStep = onLongStep;
  }

  /**
   * The calling thread works on a job from now on, until that is closed.
   *
   * @return empty when another thread does
   */
  public Optional<JobAtWork> begin(long id) {
    JobAtWork job = new JobAtWork(this, id, nanos);
    return jobs.putIfAbsent(id, job) == null ? Optional.of(job) : Optional.empty();
  }

  /** Now, as jobs say when they began. */
  public long wallMillis() {
    return wallMillis.getAsLong();
  }

  /** Now, as steps have it. */
  public long nanos() {
    return nanos.getAsLong();
  }

  /** How many jobs of this CN have failed. */
  public LongAdder failures() {
    return failures;
  }

  /** For how long the oldest open job has been at work, wherever; 0 where there is none. */
  public double oldestSeconds(Catalog catalog) {
    long now = wallMillis.getAsLong();
    return catalog.jobs().values().stream()
            .filter(DdlJob::open)
            .map(job -> job.progress().get(DdlJob.STARTED))
            .filter(Objects::nonNull)
            .mapToLong(started -> now - Long.parseLong(started))
            .reduce(0, Math::max)
        / MILLIS;
  }

  void ended(JobAtWork job) {
    jobs.remove(job.id(), job);
  }

  /** The job, if this CN works on it. */
  public Optional<JobAtWork> find(long id) {
    return Optional.ofNullable(jobs.get(id));
  }

  List<JobAtWork> all() {
    return List.copyOf(jobs.values());
  }

  /** Whether a thread of this process works on the job. */
  public boolean isRunning(long id) {
    return jobs.containsKey(id);
  }

  /**
   * Ends the steps of jobs that were cancelled, at whichever CN, and tells of steps that take long.
   * To be called every second; waits for nothing.
   */
  public void look(Catalog catalog) {
    long now = nanos.getAsLong();
    for (JobAtWork job : jobs.values()) {
      DdlJob known = catalog.jobs().get(job.id());
      if (known != null && known.state() == DdlJob.State.ROLLING_BACK) {
        job.cancel();
      }
      job.steps().forEach(step -> tell(job, step, now));
    }
  }

  private void tell(JobAtWork job, JobStep step, long now) {
    int times = (int) (step.ageNanos(now) / LONG_NANOS);
    if (times <= step.told()) {
      return;
    }
    if (step.told() == 0) {
      onLongStep.run();
    }
    step.told(times);
    log.warn(
        "DDL job {} has waited for {} s at {} for: {} (CANCEL DDL {} ends it)",
        job.id(),
        TimeUnit.NANOSECONDS.toSeconds(step.ageNanos(now)),
        step.where(),
        step.what(),
        job.id());
  }
}
