package io.alrai.cn.ddl.job;

import io.alrai.common.error.AlraiException;
import io.alrai.common.id.NodeId;
import io.alrai.gms.api.Catalog;
import io.alrai.gms.api.CatalogCommand;
import io.alrai.gms.api.DdlJob;
import io.alrai.gms.api.GmsService;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.Collectors;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Writes to the catalog what this CN's jobs wait for, once they have waited for some seconds: so
 * that SHOW DDL tells it at every CN. The next note of a job takes it away.
 */
public final class ShownSteps {
  private static final Logger log = LoggerFactory.getLogger(ShownSteps.class);

  /** Steps that end sooner are not shown. */
  static final long SHOWN_NANOS = TimeUnit.SECONDS.toNanos(3);

  private static final int MOST_CHARACTERS = 200;

  private final GmsService gms;
  private final JobsAtWork jobs;
  private final NodeId self;
  private final Executor threads;
  private final AtomicBoolean writing = new AtomicBoolean();

  /**
   * The steps of one CN.
   *
   * @param threads may wait for the GMS
   */
  public ShownSteps(GmsService gms, JobsAtWork jobs, NodeId self, Executor threads) {
    this.gms = gms;
    this.jobs = jobs;
    this.self = self;
    this.threads = threads;
  }

  /** To be called every second; waits for nothing. */
  public void look(Catalog catalog) {
    for (JobAtWork work : jobs.all()) {
      DdlJob job = catalog.jobs().get(work.id());
      if (job == null || !job.open() || !job.owner().equals(self)) {
        continue;
      }
      Map<String, String> now = shown(work);
      if (!isShown(job, now) && writing.compareAndSet(false, true)) {
        threads.execute(() -> write(new CatalogCommand.ShowStep(job.id(), self, now)));
      }
    }
  }

  /** Whether the catalog has it already. Not by the time, which differs a little at each look. */
  private static boolean isShown(DdlJob job, Map<String, String> now) {
    return List.of(DdlJob.SHOWN_STEP, DdlJob.SHOWN_PLACES).stream()
        .allMatch(key -> now.getOrDefault(key, "").equals(job.progress().getOrDefault(key, "")));
  }

  private Map<String, String> shown(JobAtWork work) {
    long nanos = jobs.nanos();
    List<JobStep> old =
        work.steps().stream().filter(step -> step.ageNanos(nanos) >= SHOWN_NANOS).toList();
    if (old.isEmpty()) {
      return Map.of();
    }
    JobStep oldest = old.getFirst();
    String what = oldest.what();
    long since = jobs.wallMillis() - TimeUnit.NANOSECONDS.toMillis(oldest.ageNanos(nanos));
    return Map.of(
        DdlJob.SHOWN_STEP,
        what.length() > MOST_CHARACTERS ? what.substring(0, MOST_CHARACTERS) + "..." : what,
        DdlJob.SHOWN_PLACES,
        old.stream().map(JobStep::where).sorted().collect(Collectors.joining(", ")),
        DdlJob.SHOWN_SINCE,
        Long.toString(since));
  }

  private void write(CatalogCommand.ShowStep shown) {
    try {
      gms.submit(shown);
    } catch (AlraiException e) {
      log.debug("the step of DDL job {} is not shown", shown.id(), e);
    } finally {
      writing.set(false);
    }
  }
}
