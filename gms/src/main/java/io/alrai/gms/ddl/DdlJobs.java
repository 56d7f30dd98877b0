package io.alrai.gms.ddl;

import io.alrai.common.error.AlraiException;
import io.alrai.common.error.ErrorCode;
import io.alrai.gms.api.CatalogCommand;
import io.alrai.gms.api.DdlJob;
import io.alrai.gms.api.node.ComputeNode;
import io.alrai.gms.topology.Leases;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * The table of DDL jobs and its changes, each of which may be applied twice. Pure. Only the last
 * {@link #KEPT} finished jobs are remembered.
 */
public final class DdlJobs {
  /** How many finished jobs stay readable. */
  public static final int KEPT = 100;

  private DdlJobs() {}

  /**
   * Adds a job.
   *
   * @throws AlraiException ALRAI_CATALOG_CONFLICT when its id is another job's or an open job works
   *     on one of its targets
   */
  public static Map<Long, DdlJob> add(Map<Long, DdlJob> jobs, DdlJob added) {
    DdlJob same = jobs.get(added.id());
    if (added.equals(same)) {
      return jobs;
    }
    if (same != null) {
      throw conflict("DDL job " + added.id() + " exists already");
    }
    for (DdlJob other : jobs.values()) {
      if (other.open() && other.clashesWith(added)) {
        throw conflict(
            "DDL job "
                + other.id()
                + " of "
                + other.owner()
                + " works on the same object; try again when it has ended");
      }
    }
    return with(jobs, added);
  }

  /**
   * Notes progress, a state or an error.
   *
   * @throws AlraiException ALRAI_CATALOG_CONFLICT when there is no such job, another CN owns it, or
   *     its state cannot follow the one it has
   */
  public static Map<Long, DdlJob> update(Map<Long, DdlJob> jobs, CatalogCommand.UpdateJob update) {
    DdlJob job = existing(jobs, update.id());
    if (!job.owner().equals(update.owner())) {
      throw conflict("DDL job " + job.id() + " has been taken over by " + job.owner());
    }
    DdlJob updated =
        new DdlJob(
            job.id(),
            job.schema(),
            job.targets(),
            job.statement(),
            job.kind(),
            update.state(),
            job.owner(),
            update.progress(),
            update.error());
    if (updated.equals(job)) {
      return jobs;
    }
    if (!job.state().allows(update.state())) {
      throw conflict(
          "DDL job " + job.id() + " is " + job.state() + " and cannot become " + update.state());
    }
    return with(jobs, updated);
  }

  /**
   * Gives an open job another owner.
   *
   * @throws AlraiException ALRAI_CATALOG_CONFLICT when the job is not open or its owner is alive
   */
  public static Map<Long, DdlJob> claim(
      Map<Long, DdlJob> jobs, List<ComputeNode> nodes, CatalogCommand.ClaimJob claim) {
    DdlJob job = existing(jobs, claim.id());
    if (!job.open()) {
      throw conflict("DDL job " + job.id() + " has ended");
    }
    if (job.owner().equals(claim.owner())) {
      return jobs;
    }
    if (Leases.alive(nodes, job.owner(), claim.nowMillis())) {
      throw conflict("DDL job " + job.id() + " is being run by " + job.owner());
    }
    return with(
        jobs,
        new DdlJob(
            job.id(),
            job.schema(),
            job.targets(),
            job.statement(),
            job.kind(),
            job.state(),
            claim.owner(),
            job.progress(),
            job.error()));
  }

  /**
   * Notes what a job waits for.
   *
   * @throws AlraiException ALRAI_CATALOG_CONFLICT when the job is not open or not the owner's
   */
  public static Map<Long, DdlJob> show(Map<Long, DdlJob> jobs, CatalogCommand.ShowStep show) {
    DdlJob job = existing(jobs, show.id());
    if (!job.open() || !job.owner().equals(show.owner())) {
      throw conflict("DDL job " + job.id() + " has ended, or another CN's");
    }
    TreeMap<String, String> progress = new TreeMap<>(job.progress());
    progress.keySet().removeIf(key -> key.startsWith(DdlJob.SHOWN));
    show.shown()
        .forEach((key, value) -> {
          if (key.startsWith(DdlJob.SHOWN)) {
            progress.put(key, value);
          }
        });
    return progress.equals(job.progress())
        ? jobs
        : with(jobs, changed(job, job.state(), progress, job.error()));
  }

  /**
   * Has a job rolled back; its owner notices at its next note, if not before. One that has failed
   * to go forward, and cannot go back, ends.
   *
   * @throws AlraiException ALRAI_CATALOG_CONFLICT when the job is not open, or goes only forward
   *     and has not failed
   */
  public static Map<Long, DdlJob> cancel(Map<Long, DdlJob> jobs, CatalogCommand.CancelJob cancel) {
    DdlJob job = existing(jobs, cancel.id());
    if (!job.open()) {
      throw conflict("DDL job " + job.id() + " has ended");
    }
    if (job.state() == DdlJob.State.ROLLING_BACK) {
      return jobs;
    }
    if (!job.onlyForward()) {
      return with(jobs, changed(job, DdlJob.State.ROLLING_BACK, job.progress(), cancel.reason()));
    }
    if (job.error().isEmpty()) {
      throw conflict(
          "DDL job "
              + job.id()
              + " has come too far to be rolled back: it only goes forward, and has not failed");
    }
    return with(
        jobs,
        changed(
            job,
            DdlJob.State.FAILED,
            Map.of(),
            cancel.reason() + "; what it had changed stays; it failed with: " + job.error()));
  }

  private static DdlJob changed(
      DdlJob job, DdlJob.State state, Map<String, String> progress, String error) {
    return new DdlJob(
        job.id(),
        job.schema(),
        job.targets(),
        job.statement(),
        job.kind(),
        state,
        job.owner(),
        progress,
        error);
  }

  private static DdlJob existing(Map<Long, DdlJob> jobs, long id) {
    DdlJob job = jobs.get(id);
    if (job == null) {
      throw conflict("there is no DDL job " + id);
    }
    return job;
  }

  private static Map<Long, DdlJob> with(Map<Long, DdlJob> jobs, DdlJob changed) {
    Map<Long, DdlJob> next = new HashMap<>(jobs);
    next.put(changed.id(), changed);
    List<Long> ended =
        next.values().stream().filter(job -> !job.open()).map(DdlJob::id).sorted().toList();
    ended.stream().limit(Math.max(0, ended.size() - KEPT)).forEach(next::remove);
    return Map.copyOf(next);
  }

  private static AlraiException conflict(String sentence) {
    return new AlraiException(ErrorCode.ALRAI_CATALOG_CONFLICT, sentence);
  }
}
