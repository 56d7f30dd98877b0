package io.alrai.cn.ddl.job;

import io.alrai.common.error.AlraiException;
import io.alrai.common.error.ErrorCode;
import io.alrai.common.sql.Sql;
import io.alrai.gms.api.Catalog;
import io.alrai.gms.api.DdlJob.Target;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * The steps of one kind of DDL job. {@link #forward} and {@link #back} may be called again after a
 * crash at any point of either, by another CN; they find out what is done from the job's progress
 * and from the mysqlds.
 */
public interface DdlSteps {
  /** The step plan's name. */
  String kind();

  /** What the job changes. */
  Set<Target> targets();

  /**
   * Looks at the catalog only. Called before the job is made and again when it has its targets for
   * itself; never for a job that is taken up again.
   *
   * @return present when there is nothing to do
   * @throws AlraiException the refusal
   */
  Optional<DdlOutcome> check(Catalog catalog);

  /**
   * A text with the client's in it that no mysqld can run, of a schema {@link NameRules#NOWHERE}:
   * it reads the whole of it, though {@link #check} finds that there is nothing to do.
   */
  default Optional<Sql> unread() {
    return Optional.empty();
  }

  /**
   * What the job's first entry in the log already notes. Others may still change what it is about:
   * they come before the second {@link #check}, which this CN may not live to make.
   *
   * @throws AlraiException the refusal
   */
  default Map<String, String> firstNotes(Catalog catalog, BeforeJob before) {
    return Map.of();
  }

  /** Whether it is not known after an error what was done, so that the job goes on later. */
  default boolean goesOnAfter(AlraiException reason) {
    return reason.is(ErrorCode.ALRAI_NODE_UNAVAILABLE) || reason.isLostConnection();
  }

  /** Runs to the end, {@link JobRun#finish} included. */
  DdlOutcome forward(JobRun run);

  /** Undoes everything that forward may have done; never called after JobRun.onlyForward. */
  void back(JobRun run);
}
