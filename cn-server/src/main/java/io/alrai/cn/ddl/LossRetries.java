package io.alrai.cn.ddl;

import io.alrai.cn.ddl.job.DdlSteps;
import io.alrai.common.error.AlraiException;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import java.util.function.Supplier;

/**
 * When a job is tried again that has lost a DN, before its client hears of it: another member may
 * lead soon, or the DN come back. The thread of one statement.
 */
final class LossRetries {
  /** For so long after the first loss it is tried again. */
  private static final long MOST_NANOS = TimeUnit.SECONDS.toNanos(10);

  private static final int MOST = 50;

  /** Between two tries: a fifth of a second. */
  private static final int PAUSES = 10;

  private final Supplier<DdlSteps> plan;
  private final DdlExecutor.DdlWait wait;
  private final LongSupplier nanos;
  private final int most;
  private long firstNanos;
  private long tryNanos;
  private int tries;
  private String reason = "";

  /**
   * For a statement whose client waits.
   *
   * @param plan makes the steps of its job, as its text alone may say another thing
   * @param nanos as {@link System#nanoTime}
   */
  LossRetries(Supplier<DdlSteps> plan, DdlExecutor.DdlWait wait, LongSupplier nanos) {
    this(plan, wait, nanos, MOST);
  }

  private LossRetries(
      Supplier<DdlSteps> plan, DdlExecutor.DdlWait wait, LongSupplier nanos, int most) {
    this.plan = plan;
    this.wait = wait;
    this.nanos = nanos;
    this.most = most;
    this.tryNanos = nanos.getAsLong();
  }

  /** For the recovery, which comes again by itself. */
  static LossRetries none() {
    Supplier<DdlSteps> none =
        () -> {
          throw new IllegalStateException("it is not tried again");
        };
    return new LossRetries(none, () -> {}, () -> 0, 0);
  }

  /** The steps of one more try. */
  DdlSteps steps() {
    return plan.get();
  }

  /** Whether the last failure had another reason. */
  boolean isNew(String sentence) {
    boolean isNew = !sentence.equals(reason);
    reason = sentence;
    return isNew;
  }

  /**
   * Lets a little time pass after a loss. Where nobody has answered for as long as it may take,
   * somebody has been waited for already.
   *
   * @return whether to try again; not after an interrupt, which stays
   */
  boolean isDue(AlraiException loss) {
    long now = nanos.getAsLong();
    if (tries == 0) {
      firstNanos = now;
    }
    boolean waited = !loss.isLostConnection() && now - tryNanos >= MOST_NANOS;
    if (waited || tries == most || now - firstNanos >= MOST_NANOS) {
      return false;
    }
    tries++;
    try {
      for (int pause = 0; pause < PAUSES; pause++) {
        wait.pause();
      }
      tryNanos = nanos.getAsLong();
      return true;
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return false;
    }
  }
}
