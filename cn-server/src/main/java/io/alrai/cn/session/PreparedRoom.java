package io.alrai.cn.session;

import io.alrai.common.error.AlraiException;
import io.alrai.common.error.ErrorCode;
import java.util.concurrent.atomic.AtomicLong;

/**
 * How many prepared statements all sessions of a CN have: they are kept in its memory, and may not
 * fill it. A long text counts as several. Thread-safe.
 */
public final class PreparedRoom {
  /** What max_prepared_stmt_count is of the mysqlds. */
  private static final long MOST = 1_000_000;

  /** Bytes of the heap for each, so that there is room for all else. */
  private static final int BYTES_EACH = 16 << 10;

  /** The default of MySQL's max_prepared_stmt_count. */
  private static final long LEAST = 16_382;

  private final AtomicLong taken = new AtomicLong();
  private final AtomicLong count = new AtomicLong();
  private final long most;

  /** As much as a heap has room for. */
  public static PreparedRoom of(long heapBytes) {
    return new PreparedRoom(Math.clamp(heapBytes / BYTES_EACH, LEAST, MOST));
  }

  PreparedRoom(long most) {
    this.most = most;
  }

  /**
   * One more is going to be kept.
   *
   * @param textBytes of its text
   * @throws AlraiException 1461
   */
  public void require(int textBytes) {
    if (taken.get() + weight(textBytes) > most) {
      throw refused(most);
    }
  }

  /** The refusal of one more. */
  public static AlraiException refused(long most) {
    return new AlraiException(
        ErrorCode.ER_MAX_PREPARED_STMT_COUNT_REACHED,
        "Can't create more than max_prepared_stmt_count statements (current value: " + most + ")");
  }

  /** How many are kept. */
  public long count() {
    return count.get();
  }

  /** One is kept. */
  public void take(int textBytes) {
    count.incrementAndGet();
    taken.addAndGet(weight(textBytes));
  }

  /** It is gone. */
  public void give(int textBytes) {
    count.decrementAndGet();
    taken.addAndGet(-weight(textBytes));
  }

  /** What is taken. */
  long taken() {
    return taken.get();
  }

  private static long weight(int textBytes) {
    return 1 + textBytes / BYTES_EACH;
  }
}
