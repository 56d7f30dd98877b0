package io.alrai.cn.ddl;

import io.alrai.cn.ddl.job.ShadowGrants;
import io.alrai.common.error.AlraiException;
import io.alrai.common.id.NodeId;
import io.alrai.gms.api.CatalogCommand;
import io.alrai.gms.api.DdlJob;
import io.alrai.gms.api.GmsService;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Finds open DDL jobs that nobody works on: this CN's own from before its start, and those of CNs
 * whose lease has run out. Brings shadows' grants up to date on DNs that have been away. Call
 * {@link #runInBackground} at the start and then every few seconds.
 */
public final class DdlRecovery {
  private static final Logger log = LoggerFactory.getLogger(DdlRecovery.class);

  /** What fails to go forward is tried again after so long, then after twice that, and so on. */
  private static final long PAUSE_NANOS = TimeUnit.SECONDS.toNanos(5);

  private static final int MOST_DOUBLINGS = 3;

  /** No job's id. */
  private static final long GRANTS = 0;

  private final GmsService gms;
  private final DdlExecutor executor;
  private final ShadowGrants grants;
  private final NodeId self;
  private final LongSupplier nanos;
  private final Set<Long> taken = ConcurrentHashMap.newKeySet();
  private final Map<Long, Tries> tries = new ConcurrentHashMap<>();

  /** How often a job has failed to go forward, and when it is tried again. */
  private record Tries(int count, long againNanos) {}

  /** A recovery for the CN of that name. */
  public DdlRecovery(GmsService gms, DdlExecutor executor, ShadowGrants grants, NodeId self) {
    this(gms, executor, grants, self, System::nanoTime);
  }

  DdlRecovery(
      GmsService gms, DdlExecutor executor, ShadowGrants grants, NodeId self, LongSupplier nanos) {
    this.nanos = nanos;
    this.gms = gms;
    this.executor = executor;
    this.grants = grants;
    this.self = self;
  }

  /** Runs on a thread for each job, as one may take long, or hang; waits for nothing. */
  public void runInBackground() {
    takeUp(GRANTS, "shadow-grants", grants::keep);
    long now = nanos.getAsLong();
    List<DdlJob> open = open();
    tries.keySet().removeIf(id -> open.stream().noneMatch(job -> job.id() == id));
    open.stream()
        .filter(job -> isDue(job, now))
        .forEach(job -> takeUp(job.id(), "ddl-job-" + job.id(), () -> tryToFinish(job)));
  }

  /** A job that rolls back is always due: others wait for its objects. */
  private boolean isDue(DdlJob job, long now) {
    Tries before = tries.get(job.id());
    return before == null
        || job.state() == DdlJob.State.ROLLING_BACK
        || now - before.againNanos >= 0;
  }

  private void tryToFinish(DdlJob job) {
    if (claim(job) && !executor.resume(gms.catalog().jobs().getOrDefault(job.id(), job))) {
      tries.compute(
          job.id(),
          (id, before) -> {
            int count = before == null ? 0 : before.count;
            long pause = PAUSE_NANOS << Math.min(count, MOST_DOUBLINGS);
            return new Tries(count + 1, nanos.getAsLong() + pause);
          });
    }
  }

  /** Not while it is at work already. */
  private void takeUp(long id, String name, Runnable work) {
    if (taken.add(id)) {
      Thread.ofVirtual()
          .name(name)
          .start(() -> {
            try {
              work.run();
            } catch (RuntimeException e) {
              log.warn("{} is left for the next time", name, e);
            } finally {
              taken.remove(id);
            }
          });
    }
  }

  /** Waits for what was taken up; for tests. */
  void awaitIdle() {
    while (!taken.isEmpty()) {
      Thread.yield();
    }
  }

  /**
   * Finishes or rolls back what it can; blocks until it is done.
   *
   * @return how many jobs have ended
   */
  public int runOnce() {
    grants.keep();
    return (int) open().stream().filter(this::finish).count();
  }

  private List<DdlJob> open() {
    return gms.catalog().jobs().values().stream()
        .filter(job -> job.open() && !executor.isRunning(job.id()))
        .sorted(Comparator.comparingLong(DdlJob::id))
        .toList();
  }

  private boolean finish(DdlJob job) {
    return claim(job) && executor.resume(gms.catalog().jobs().getOrDefault(job.id(), job));
  }

  private boolean claim(DdlJob job) {
    try {
      gms.submit(new CatalogCommand.ClaimJob(job.id(), self, 0));
      return true;
    } catch (AlraiException e) {
      log.debug("DDL job {} is left to {}: {}", job.id(), job.owner(), e.sentence());
      return false;
    }
  }
}
