package io.alrai.cn.ddl;

import io.alrai.cn.ddl.job.JobRun;
import io.alrai.common.error.AlraiException;
import io.alrai.common.thread.Uninterrupted;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * What a CN asks and tells the GMS after a try of a job has failed. An interrupt, which may be why
 * it has, must not keep it from that, and stays. The job's thread.
 */
final class FailedTry {
  private static final Logger log = LoggerFactory.getLogger(FailedTry.class);

  private FailedTry() {}

  /** Whether this CN knows what is noted of the job, as it must before it goes back. */
  static boolean isKnown(JobRun run) {
    return Uninterrupted.get(() -> {
      try {
        run.resync();
        return true;
      } catch (AlraiException e) {
        log.warn("DDL job {}: what is noted of it is not known: {}", run.jobId(), e.sentence());
        return false;
      }
    });
  }

  /**
   * Notes why the job goes on later; logged once for each reason.
   *
   * @return whether the GMS has it
   */
  static boolean note(JobRun run, AlraiException reason, LossRetries retries) {
    return Uninterrupted.get(() -> {
      try {
        if (run.failed(reason.sentence()) && retries.isNew(reason.sentence())) {
          log.warn("DDL job {} will go on later: {}", run.jobId(), reason.sentence());
        }
        return true;
      } catch (AlraiException e) {
        log.warn("DDL job {} will go on later: {}", run.jobId(), reason.sentence(), e);
        return false;
      }
    });
  }
}
