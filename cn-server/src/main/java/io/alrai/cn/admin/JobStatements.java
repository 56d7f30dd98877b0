package io.alrai.cn.admin;

import io.alrai.cn.ddl.job.DdlSession;
import io.alrai.cn.ddl.job.JobAtWork;
import io.alrai.cn.ddl.job.JobStep;
import io.alrai.cn.privilege.PrivilegeCheck;
import io.alrai.cn.result.ResultTable;
import io.alrai.cn.settings.Diagnostics;
import io.alrai.cn.settings.Diagnostics.Condition;
import io.alrai.cn.statement.StatementRun;
import io.alrai.cn.system.CnParts;
import io.alrai.common.error.AlraiException;
import io.alrai.common.error.ErrorCode;
import io.alrai.common.thread.Pause;
import io.alrai.gms.api.CatalogCommand;
import io.alrai.gms.api.DdlJob;
import io.alrai.optimizer.api.AdminStatement;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** SHOW DDL and CANCEL DDL. */
final class JobStatements {
  private static final int LOOK_MILLIS = 20;

  /** How long CANCEL DDL waits for the ends of the jobs. */
  private static final long PATIENCE_NANOS = TimeUnit.SECONDS.toNanos(20);

  private final CnParts parts;

  JobStatements(CnParts parts) {
    this.parts = parts;
  }

  void show(StatementRun run, boolean full) {
    ResultTable result =
        new ResultTable()
            .number("JOB_ID")
            .text("OBJECT_SCHEMA", 64)
            .text("KIND", 32)
            .text("STATE", 16)
            .text("OWNER", 32)
            .text("STATEMENT", 4096)
            .text("ERROR", 1024)
            .number("SECONDS")
            .text("STEP", 4096)
            .number("STEP_SECONDS")
            .text("WAITS_FOR", 1024);
    long nanos = parts.jobs().nanos();
    parts.gms().catalog().jobs().values().stream()
        .filter(job -> full || job.open())
        .sorted(Comparator.comparingLong(DdlJob::id))
        .forEach(job -> {
          List<JobStep> steps = parts.jobs().find(job.id()).map(JobAtWork::steps).orElse(List.of());
          Optional<JobStep> oldest = steps.stream().findFirst();
          result.row(
              job.id(),
              job.schema(),
              job.kind(),
              job.state(),
              job.owner(),
              job.statement(),
              job.error(),
              secondsSince(job, DdlJob.STARTED),
              oldest.map(JobStep::what).orElse(job.progress().get(DdlJob.SHOWN_STEP)),
              oldest
                  .map(step -> TimeUnit.NANOSECONDS.toSeconds(step.ageNanos(nanos)))
                  .orElse(secondsSince(job, DdlJob.SHOWN_SINCE)),
              steps.isEmpty()
                  ? job.progress().get(DdlJob.SHOWN_PLACES)
                  : String.join(", ", where(steps)));
        });
    ShowStatements.write(run, result);
  }

  private static List<String> where(List<JobStep> steps) {
    return steps.stream().map(JobStep::where).toList();
  }

  private @Nullable Long secondsSince(DdlJob job, String key) {
    String started = job.progress().get(key);
    return started == null
        ? null
        : TimeUnit.MILLISECONDS.toSeconds(
            Math.max(0, parts.wallMillis().getAsLong() - Long.parseLong(started)));
  }

  /**
   * Has jobs rolled back and waits until they are, for some time.
   *
   * @throws AlraiException ALRAI_CATALOG_CONFLICT for a job that is not there, has ended, or goes
   *     only forward and has not failed; 1227 for that of another account without CONNECTION_ADMIN
   *     and SUPER
   */
  void cancel(StatementRun run, AdminStatement.CancelDdl cancel) {
    boolean all = cancel.jobs().isEmpty();
    List<Long> ids = all ? cancellable() : cancel.jobs();
    ids.forEach(id -> requireOwner(run, id));
    List<Condition> notes = new ArrayList<>();
    for (long id : ids) {
      try {
        cancel(run, id);
      } catch (AlraiException e) {
        if (!all) {
          throw e;
        }
        notes.add(new Condition("Note", e.errno(), e.sentence()));
      }
    }
    await(ids, notes);
    CnAdmin.ok(run, Diagnostics.ofWarnings(notes));
  }

  private List<Long> cancellable() {
    return parts.gms().catalog().jobs().values().stream()
        .filter(job -> job.open() && !job.onlyForward())
        .map(DdlJob::id)
        .sorted()
        .toList();
  }

  private void requireOwner(StatementRun run, long id) {
    DdlJob job = parts.gms().catalog().jobs().get(id);
    String user = job == null ? "" : DdlSession.userOf(job);
    PrivilegeCheck.requireJobsOwner(run.session(), parts.gms().catalog(), user);
  }

  private void cancel(StatementRun run, long id) {
    DdlJob before = parts.gms().catalog().jobs().get(id);
    String by = run.session().user().login().access().user();
    parts
        .gms()
        .submit(
            new CatalogCommand.CancelJob(
                id, "Query execution was interrupted: CANCEL DDL by '" + by + "'"));
    Optional<JobAtWork> here = parts.jobs().find(id);
    if (before != null && before.state() == DdlJob.State.ROLLING_BACK) {
      // its step back hangs, or it would not be asked for; it is tried again
      here.ifPresent(JobAtWork::endStep);
    } else {
      parts.jobs().look(parts.gms().catalog());
    }
  }

  private void await(List<Long> ids, List<Condition> notes) {
    long end = System.nanoTime() + PATIENCE_NANOS;
    for (long id : ids) {
      while (isOpen(id)) {
        if (System.nanoTime() - end > 0) {
          notes.add(
              new Condition(
                  "Note",
                  ErrorCode.ER_LOCK_WAIT_TIMEOUT.errno(),
                  "DDL job " + id + " is still being rolled back: see SHOW DDL"));
          break;
        }
        Pause.ofMillis(LOOK_MILLIS);
      }
    }
  }

  private boolean isOpen(long id) {
    DdlJob job = parts.gms().catalog().jobs().get(id);
    return job != null && job.open() && !job.onlyForward();
  }
}
