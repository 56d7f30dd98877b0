package io.alrai.cn.ddl;

import io.alrai.cn.ddl.account.AccountChanges;
import io.alrai.cn.ddl.job.BeforeJob;
import io.alrai.cn.ddl.job.ColumnIndexBuilds;
import io.alrai.cn.ddl.job.DdlNumbers;
import io.alrai.cn.ddl.job.DdlOutcome;
import io.alrai.cn.ddl.job.DdlSession;
import io.alrai.cn.ddl.job.DdlShards;
import io.alrai.cn.ddl.job.DdlSteps;
import io.alrai.cn.ddl.job.ForeignKeyTies;
import io.alrai.cn.ddl.job.JobAtWork;
import io.alrai.cn.ddl.job.JobRun;
import io.alrai.cn.ddl.job.JobRun.Try;
import io.alrai.cn.ddl.job.JobsAtWork;
import io.alrai.cn.ddl.job.NameRules;
import io.alrai.cn.ddl.job.NextIds;
import io.alrai.cn.ddl.job.ParallelSteps;
import io.alrai.cn.ddl.member.MemberSteps;
import io.alrai.cn.ddl.rule.TablesApart;
import io.alrai.cn.ddl.step.MakeSingleSteps;
import io.alrai.cn.ddl.step.StepPlans;
import io.alrai.common.error.AlraiException;
import io.alrai.common.error.ErrorCode;
import io.alrai.common.id.NodeId;
import io.alrai.common.sql.Sql;
import io.alrai.gms.api.Catalog;
import io.alrai.gms.api.CatalogCommand;
import io.alrai.gms.api.DdlJob;
import io.alrai.gms.api.GmsService;
import io.alrai.gms.api.Partitioning;
import io.alrai.gms.api.PhysicalNames;
import io.alrai.gms.api.Schema;
import io.alrai.gms.api.Table;
import io.alrai.optimizer.api.AdminStatement.TableName;
import io.alrai.optimizer.api.DdlStatement;
import io.alrai.optimizer.api.MembersStatement;
import io.alrai.optimizer.api.inspect.DdlText;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Runs DDL statements as jobs of the GMS. A job either takes effect on all DNs and in the catalog,
 * or nowhere; one whose CN dies is finished or undone by another ({@link DdlRecovery}).
 * Thread-safe; blocks, so it belongs on virtual threads.
 */
public final class DdlExecutor {
  private static final Logger log = LoggerFactory.getLogger(DdlExecutor.class);
  private static final long POLL_MILLIS = 20;

  /** How often tables are moved for one statement, while others make and alter some. */
  private static final int MOST_MOVES = 3;

  /** An older answer of the GMS does not say whose a job is now; less than a CN's lease lasts. */
  private static final long FRESH_NANOS = TimeUnit.SECONDS.toNanos(1);

  /** How long a statement waits for another job to end: a minute of pauses. */
  private static final int MOST_PAUSES = 3000;

  private final GmsService gms;
  private final DdlShards shards;
  private final NodeId self;
  private final ParallelSteps parallel;
  private final DdlWait wait;
  private final ColumnIndexBuilds builds;
  private final NextIds ids;
  private final DdlNumbers numbers;
  private final JobsAtWork atWork;
  private final Abandoning abandoning = new Abandoning();

  /**
   * An executor.
   *
   * @param self the CN's name, as its lease has it
   * @param parallel runs the steps of different DNs
   * @param builds builds column indexes
   * @param ids of this CN's statements
   * @param atWork where its jobs can be seen and ended
   */
  public DdlExecutor(
      GmsService gms,
      DdlShards shards,
      NodeId self,
      Executor parallel,
      ColumnIndexBuilds builds,
      NextIds ids,
      JobsAtWork atWork) {
    this(gms, shards, self, parallel, builds, ids, atWork, () -> Thread.sleep(POLL_MILLIS));
  }

  DdlExecutor(
      GmsService gms,
      DdlShards shards,
      NodeId self,
      Executor parallel,
      ColumnIndexBuilds builds,
      NextIds ids,
      JobsAtWork atWork,
      DdlWait wait) {
    this.gms = gms;
    this.shards = shards;
    this.self = self;
    this.parallel = new ParallelSteps(parallel);
    this.wait = wait;
    this.builds = builds;
    this.ids = ids;
    this.numbers = new DdlNumbers(gms);
    this.atWork = atWork;
  }

  /** Lets a little time pass while another job holds what a statement needs. */
  interface DdlWait {
    void pause() throws InterruptedException;
  }

  /**
   * Runs a statement to its end. The session's transaction must have been committed before: DDL
   * waits for the locks of open transactions.
   *
   * @throws AlraiException MySQL's error with logical names; or ALRAI_NODE_UNAVAILABLE when a DN is
   *     lost for longer than ten seconds, in which case the job is finished or undone later
   */
  public DdlOutcome run(DdlStatement statement, DdlSession session) {
    return switch (statement) {
      case DdlStatement.OnAccount account -> new AccountChanges(gms, session).run(account);
      case DdlStatement.Job job -> run(job, session);
    };
  }

  /**
   * Changes the members of a DN's group, or one of them, as a job.
   *
   * @param sql its text
   * @throws AlraiException why that cannot be: then the group is as it was
   */
  public void run(MembersStatement.AsJob statement, String sql, DdlSession session) {
    runJob(sql, () -> MemberSteps.of(statement), session);
  }

  private DdlOutcome run(DdlStatement.Job statement, DdlSession session) {
    for (int moves = 0; ; moves++) {
      Supplier<DdlSteps> plan = () -> StepPlans.of(statement, session, gms.catalog(), builds, ids);
      DdlSteps steps = plan.get();
      try {
        Optional<DdlOutcome> nothing = steps.check(gms.catalog());
        if (nothing.isPresent()) {
          steps.unread().ifPresent(sql -> requireReadable(sql, session));
          return nothing.get();
        }
        return runJob(statement.sql(), plan, session);
      } catch (TablesApart apart) {
        if (moves == MOST_MOVES || !moveTogether(apart, session)) {
          throw apart.refusal();
        }
      }
    }
  }

  /** That there is no such schema is the error of a text that could be read. */
  private void requireReadable(Sql sql, DdlSession session) {
    try {
      shards.execute(shards.dns().getFirst(), "", session.settings(), sql);
    } catch (AlraiException e) {
      if (e.is(ErrorCode.ER_PARSE_ERROR)) {
        throw e;
      }
    }
  }

  /** Moves tables into one partition, with all that foreign keys tie to them, if that may be. */
  private boolean moveTogether(TablesApart apart, DdlSession session) {
    Schema schema = NameRules.existingSchema(gms.catalog(), apart.schema());
    List<Table> partitioned =
        ForeignKeyTies.read(shards, schema.name()).family(apart.tables()).stream()
            .flatMap(name -> Optional.ofNullable(schema.tables().get(name)).stream())
            .filter(table -> !(table.partitioning() instanceof Partitioning.Single))
            .toList();
    if (partitioned.isEmpty() || !partitioned.stream().allMatch(Table::movable)) {
      return false;
    }
    List<TableName> names =
        partitioned.stream()
            .map(table -> new TableName(Optional.of(schema.name()), table.name()))
            .toList();
    String sql =
        Sql.of("ALTER TABLE ")
            .add(
                Sql.join(
                    ", ",
                    partitioned.stream()
                        .map(table -> Sql.EMPTY.name(schema.name(), table.name()))
                        .toList()))
            .words(" SINGLE")
            .text();
    log.info("moved into one partition, as they are needed together: {}", sql);
    runJob(
        sql,
        () -> new MakeSingleSteps(new DdlStatement.MakeSingle(sql, names), session, ids),
        session);
    return true;
  }

  /**
   * Runs a job for the statement of a client.
   *
   * @param plan makes its steps, anew for each try
   */
  private DdlOutcome runJob(String sql, Supplier<DdlSteps> plan, DdlSession session) {
    DdlSteps steps = plan.get();
    Map<String, String> progress = session.toProgress();
    progress.putAll(steps.firstNotes(gms.catalog(), new BeforeJob(numbers, shards, parallel)));
    progress.put(DdlJob.STARTED, Long.toString(atWork.wallMillis()));
    DdlJob job =
        new DdlJob(
            numbers.next("ddl-job"),
            session.currentSchema(),
            steps.targets(),
            sql,
            steps.kind(),
            DdlJob.State.RUNNING,
            self,
            progress,
            "");
    try (JobAtWork work = atWork.begin(job.id()).orElseThrow()) {
      Catalog catalog = begun(job);
      JobRun run = new JobRun(gms, numbers, shards, parallel, self, session, job, work, Try.FIRST);
      Optional<DdlOutcome> nothing;
      try {
        nothing = steps.check(catalog);
      } catch (AlraiException | TablesApart e) {
        run.transition(DdlJob.State.FAILED, logical(e, catalog).sentence());
        throw e;
      }
      if (nothing.isPresent()) {
        run.finish(List.of());
        return nothing.get();
      }
      return forward(steps, run, catalog, new LossRetries(plan, wait, atWork::nanos));
    }
  }

  /** A job that was written while its session was killed must not be taken up by the recovery. */
  private Catalog begun(DdlJob job) {
    try {
      return put(job);
    } catch (AlraiException e) {
      boolean interrupted = Thread.interrupted();
      if (interrupted && gms.catalog().jobs().containsKey(job.id())) {
        gms.submit(new CatalogCommand.CancelJob(job.id(), e.sentence()));
      }
      if (interrupted) {
        Thread.currentThread().interrupt();
      }
      throw e;
    }
  }

  private Catalog put(DdlJob job) {
    for (int pauses = 0; pauses < MOST_PAUSES; pauses++) {
      boolean clash =
          gms.catalog().jobs().values().stream()
              .anyMatch(other -> other.open() && other.clashesWith(job));
      if (!clash) {
        try {
          return gms.submit(new CatalogCommand.PutJob(job));
        } catch (AlraiException e) {
          if (!e.is(ErrorCode.ALRAI_CATALOG_CONFLICT)) {
            throw e;
          }
        }
      }
      try {
        wait.pause();
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
        throw AlraiException.interruption(e);
      }
    }
    throw new AlraiException(
        ErrorCode.ER_LOCK_WAIT_TIMEOUT,
        "Lock wait timeout exceeded; another DDL job works on the same object: see SHOW DDL");
  }

  /**
   * Runs the steps.
   *
   * @param begun has the names of what they may take away
   * @param retries after the loss of a DN
   */
  private DdlOutcome forward(DdlSteps steps, JobRun run, Catalog begun, LossRetries retries) {
    try {
      return steps.forward(run);
    } catch (RuntimeException e) {
      AlraiException reason = cancelled(run).orElseGet(() -> logical(e, begun));
      boolean known = FailedTry.isKnown(run);
      if (!owns(run) || run.state() == DdlJob.State.DONE) {
        throw reason;
      }
      if (!known) {
        throw goesOn(run, reason);
      }
      if (run.isOnlyForward() || steps.goesOnAfter(reason)) {
        boolean written = FailedTry.note(run, reason, retries);
        boolean due = written && steps.goesOnAfter(reason) && retries.isDue(reason);
        Optional<JobRun> again = due ? again(run) : Optional.empty();
        if (again.isPresent()) {
          return forward(retries.steps(), again.get(), begun, retries);
        }
        Optional<AlraiException> meanwhile = cancelled(run);
        if (meanwhile.isPresent()) {
          back(steps, run, meanwhile.get());
          throw meanwhile.get();
        }
        throw isOpen(run) ? goesOn(run, reason) : reason;
      }
      back(steps, run, reason);
      throw e instanceof TablesApart ? e : reason;
    }
  }

  private static AlraiException goesOn(JobRun run, AlraiException reason) {
    return reason.withSentence(
        reason.sentence() + "; DDL job " + run.jobId() + " goes on by itself: see SHOW DDL");
  }

  /**
   * Empty where another CN may have it by now, or it is cancelled: the GMS must have said that it
   * is not, a moment ago, as leases of CNs last for seconds.
   */
  private Optional<JobRun> again(JobRun run) {
    long since = atWork.nanos();
    try {
      DdlJob job = run.again();
      if (atWork.nanos() - since > FRESH_NANOS || job.state() != DdlJob.State.RUNNING) {
        return Optional.empty();
      }
      return Optional.of(
          new JobRun(
              gms, numbers, shards, parallel, self, run.session(), job, run.work(), Try.AGAIN));
    } catch (AlraiException e) {
      log.info("DDL job {} is not tried again: {}", run.jobId(), e.sentence());
      return Optional.empty();
    }
  }

  /** What CANCEL DDL at any CN has written. */
  private Optional<AlraiException> cancelled(JobRun run) {
    return Optional.ofNullable(gms.catalog().jobs().get(run.jobId()))
        .filter(job -> job.state() == DdlJob.State.ROLLING_BACK)
        .map(job -> new AlraiException(ErrorCode.ER_QUERY_INTERRUPTED, job.error()));
  }

  /**
   * Rolls back. An interrupt that led here has done its work: it is put aside until the end, so
   * that the steps back can wait. Another one ends the step back that runs then, which is tried
   * again.
   */
  private void back(DdlSteps steps, JobRun run, AlraiException reason) {
    boolean interrupted = run.work().back();
    try {
      if (run.state() != DdlJob.State.ROLLING_BACK) {
        goBack(run, reason);
      }
      steps.back(run);
      run.transition(DdlJob.State.FAILED, reason.sentence());
    } catch (RuntimeException e) {
      if (abandoning.isDue(run.jobId(), e)) {
        log.error("DDL job {} is given up: what it has made may be there still", run.jobId(), e);
        run.transition(
            DdlJob.State.FAILED,
            reason.sentence()
                + "; it could not be rolled back: "
                + logical(e, gms.catalog()).sentence());
      } else {
        log.warn("DDL job {} will be rolled back later", run.jobId(), e);
      }
    } finally {
      if (interrupted) {
        Thread.currentThread().interrupt();
      }
    }
  }

  /** Nothing but the loss of the GMS keeps it from being written, or the job would go forward. */
  private static void goBack(JobRun run, AlraiException reason) {
    while (true) {
      try {
        run.transition(DdlJob.State.ROLLING_BACK, reason.sentence());
        return;
      } catch (AlraiException e) {
        if (!Thread.interrupted()) {
          throw e;
        }
      }
    }
  }

  /** Whether no other CN has taken the job over. */
  private boolean owns(JobRun run) {
    DdlJob now = gms.catalog().jobs().get(run.jobId());
    return now != null && now.owner().equals(self) && now.open();
  }

  /** Whether somebody goes on with it. */
  private boolean isOpen(JobRun run) {
    DdlJob now = gms.catalog().jobs().get(run.jobId());
    return now != null && now.open();
  }

  private static AlraiException logical(RuntimeException error, Catalog catalog) {
    if (error instanceof TablesApart apart) {
      return apart.refusal();
    }
    if (!(error instanceof AlraiException known)) {
      return new AlraiException(ErrorCode.ALRAI_INTERNAL, "internal error: " + error, error);
    }
    String sentence = new PhysicalNames(catalog).inText(known.sentence());
    return sentence.equals(known.sentence()) ? known : known.withSentence(sentence);
  }

  /**
   * Takes up a job that nobody works on: goes on, or goes on rolling it back. The job must belong
   * to this CN.
   *
   * @return whether it has ended
   */
  boolean resume(DdlJob job) {
    Optional<JobAtWork> begun = atWork.begin(job.id());
    if (begun.isEmpty()) {
      return false;
    }
    try (JobAtWork work = begun.get()) {
      DdlSession session = DdlSession.fromProgress(job.schema(), job.progress());
      JobRun run =
          new JobRun(gms, numbers, shards, parallel, self, session, job, work, Try.RECOVERY);
      DdlSteps steps = steps(job, session, run);
      if (job.state() == DdlJob.State.ROLLING_BACK) {
        back(steps, run, new AlraiException(ErrorCode.ER_UNKNOWN_ERROR, job.error()));
      } else {
        forward(steps, run, gms.catalog(), LossRetries.none());
      }
    } catch (AlraiException | TablesApart e) {
      log.debug("DDL job {} taken up again: {}", job.id(), e.getMessage());
    }
    DdlJob after = gms.catalog().jobs().get(job.id());
    return after == null || !after.open();
  }

  private DdlSteps steps(DdlJob job, DdlSession session, JobRun run) {
    Optional<MemberSteps> ofMember = MemberSteps.of(job);
    if (ofMember.isPresent()) {
      return ofMember.get();
    }
    try {
      DdlStatement.Job statement =
          DdlText.parse(job.statement(), session.ansiQuotes(), session.isWithoutEscapes())
              .filter(DdlStatement.Job.class::isInstance)
              .map(DdlStatement.Job.class::cast)
              .orElseThrow(() ->
                  new AlraiException(
                      ErrorCode.ALRAI_INTERNAL,
                      "DDL job " + job.id() + " has no statement of a job"));
      return StepPlans.of(statement, session, gms.catalog(), builds, ids);
    } catch (AlraiException e) {
      // one of another version, which took what is refused now
      if (abandoning.isDue(job.id(), e)) {
        log.error("DDL job {} is given up: what it has made may be there still", job.id(), e);
        run.transition(DdlJob.State.FAILED, job.error() + "; " + e.sentence());
      }
      throw e;
    }
  }

  /** Whether a thread of this process is working on the job. */
  boolean isRunning(long jobId) {
    return atWork.isRunning(jobId);
  }
}
