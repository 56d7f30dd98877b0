package io.alrai.cn.ddl;

import io.alrai.common.error.AlraiException;
import io.alrai.common.id.NodeId;
import io.alrai.gms.api.CatalogCommand;
import io.alrai.gms.api.DdlJob;
import io.alrai.gms.api.GmsService;
import java.util.Comparator;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Finds open DDL jobs that nobody works on: this CN's own from before its start, and those of CNs
 * whose lease has run out. Brings shadows' grants up to date on DNs that have been away. Call
 * {@link #runInBackground} at the start and then every few seconds.
 */
public final class DdlRecovery {
  private static final Logger log = LoggerFactory.getLogger(DdlRecovery.class);

  private final GmsService gms;
  private final DdlExecutor executor;
  private final ShadowGrants grants;
  private final NodeId self;
  private final AtomicBoolean atWork = new AtomicBoolean();

  /** A recovery for the CN of that name. */
  public DdlRecovery(GmsService gms, DdlExecutor executor, ShadowGrants grants, NodeId self) {
    this.gms = gms;
    this.executor = executor;
    this.grants = grants;
    this.self = self;
  }

  /** Runs on a thread of its own, as jobs may take long; not while an earlier run is at work. */
  public void runInBackground() {
    if (atWork.compareAndSet(false, true)) {
      Thread.ofVirtual()
          .name("ddl-recovery-" + self)
          .start(() -> {
            try {
              runOnce();
            } catch (RuntimeException e) {
              log.warn("open DDL jobs are left for the next time", e);
            } finally {
              atWork.set(false);
            }
          });
    }
  }

  /**
   * Finishes or rolls back what it can; blocks until it is done.
   *
   * @return how many jobs have ended
   */
  public int runOnce() {
    grants.keep();
    List<DdlJob> open =
        gms.catalog().jobs().values().stream()
            .filter(job -> job.open() && !executor.isRunning(job.id()))
            .sorted(Comparator.comparingLong(DdlJob::id))
            .toList();
    int ended = 0;
    for (DdlJob job : open) {
      if (claim(job) && executor.resume(gms.catalog().jobs().getOrDefault(job.id(), job))) {
        ended++;
      }
    }
    return ended;
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
