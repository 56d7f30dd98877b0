package io.alrai.cn.ddl.job;

import io.alrai.common.sql.Sql;
import io.alrai.gms.api.Catalog;
import io.alrai.gms.api.DdlJob.Target;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * The steps of one kind of DDL job. {@link #forward} and {@link #back} may be called again after a
 * crash at any point of either, by another CN; they find out from the job's progress and from the
 * mysqlds what has been done already.
 */
public interface DdlSteps {
  /** The step plan's name. */
  String kind();

  /** What the job changes. */
  Set<Target> targets();

  /**
   * Checks the statement against the catalog only. Called before the job is made, and again once
   * the job has locked its targets; never for a job that is resumed.
   *
   * @return present when there is nothing to do
   * @throws io.alrai.common.error.AlraiException the refusal
   */
  Optional<DdlOutcome> check(Catalog catalog);

  /**
   * A text that contains the client's and that no mysqld can run, as it names the schema {@link
   * NameRules#NOWHERE}. It has a mysqld parse the whole text even where {@link #check} finds that
   * there is nothing to do.
   */
  default Optional<Sql> unread() {
    return Optional.empty();
  }

  /**
   * What the job notes already in its first entry in the log. Other jobs may still change its
   * targets until the second {@link #check}, and this CN may die before that.
   *
   * @throws io.alrai.common.error.AlraiException the refusal
   */
  default Map<String, String> firstNotes(Catalog catalog, BeforeJob before) {
    return Map.of();
  }

  /** Runs all steps, {@link JobRun#finish} included. */
  DdlOutcome forward(JobRun run);

  /** Undoes everything that forward may have done; never called after JobRun.onlyForward. */
  void back(JobRun run);
}
