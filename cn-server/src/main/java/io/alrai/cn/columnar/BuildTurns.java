package io.alrai.cn.columnar;

import io.alrai.common.error.AlraiException;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One column index is built at a time. A build may read for hours, but it ends where nothing comes
 * any more ({@link SnapshotView#SILENCE}) and when its index is closed, so that others have their
 * turn. Thread-safe.
 */
final class BuildTurns {
  private static final Logger log = LoggerFactory.getLogger(BuildTurns.class);

  /** How often a build that waits for others says so. */
  private static final int TURN_SECONDS = 300;

  private final Semaphore turn = new Semaphore(1, true);
  private volatile String atWork = "";

  /**
   * Runs a build when it has its turn.
   *
   * @param index its name
   * @throws AlraiException what the build failed with; ER_QUERY_INTERRUPTED
   */
  void run(String index, Runnable build) {
    try {
      while (!turn.tryAcquire(TURN_SECONDS, TimeUnit.SECONDS)) {
        log.warn("the build of {} has waited {} s more for {}", index, TURN_SECONDS, atWork);
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw AlraiException.interruption(e);
    }
    try {
      atWork = index;
      build.run();
    } finally {
      turn.release();
    }
  }
}
