package io.alrai.columnar.segment;

import io.alrai.common.error.AlraiException;
import io.alrai.common.error.ErrorCode;
import java.util.concurrent.atomic.AtomicLong;

/** How much memory off the heap the column index may take. Thread-safe. */
public final class MemoryBudget {
  private final long limitBytes;
  private final AtomicLong used = new AtomicLong();

  /** Nothing is taken yet. */
  public MemoryBudget(long limitBytes) {
    this.limitBytes = limitBytes;
  }

  /** What is taken now. */
  public long usedBytes() {
    return used.get();
  }

  /**
   * Takes some.
   *
   * @throws AlraiException ER_OUT_OF_RESOURCES when there is not so much left; nothing is taken
   *     then
   */
  void take(long bytes) {
    if (used.addAndGet(bytes) > limitBytes) {
      used.addAndGet(-bytes);
      throw new AlraiException(
          ErrorCode.ER_OUT_OF_RESOURCES,
          "the column index needs more than its memory of " + limitBytes + " bytes");
    }
  }

  void giveBack(long bytes) {
    used.addAndGet(-bytes);
  }
}
