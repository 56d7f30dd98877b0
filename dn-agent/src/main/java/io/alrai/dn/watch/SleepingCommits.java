package io.alrai.dn.watch;

import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Notices that commits of a leader's mysqld may sleep: its disk had no room and has some again, and
 * nothing has been committed since. A mysqld that is killed and starts again is sooner back; one
 * that is idle, or has one long transaction, looks the same, and is killed as well. One thread.
 */
public final class SleepingCommits {
  /** A mysqld that found room in time has committed something by then, where clients write. */
  private static final long MOST_NANOS = TimeUnit.SECONDS.toNanos(5);

  private final DiskRoom room;
  private final Supplier<?> committed;
  private @Nullable Object last;
  private long movedNanos;
  private long freedNanos;
  private boolean freed;

  /**
   * A watch that does not look yet.
   *
   * @param committed equal to what it was while nothing is committed
   */
  public SleepingCommits(DiskRoom room, Supplier<?> committed) {
    this.room = room;
    this.committed = committed;
  }

  /**
   * Looks.
   *
   * @param leads whether it leads
   * @param now as {@link System#nanoTime}
   * @return why its mysqld has to be killed
   */
  public Optional<String> look(boolean leads, long now) {
    Object present = committed.get();
    if (!leads || !present.equals(last)) {
      last = present;
      movedNanos = now;
    }
    boolean freedBefore = freed;
    freed = room.freedSince(movedNanos);
    if (!freed) {
      return Optional.empty();
    }
    if (!freedBefore) {
      freedNanos = now;
    }
    if (now - freedNanos < MOST_NANOS) {
      return Optional.empty();
    }
    movedNanos = now;
    return Optional.of("its disk has room again, and nothing was committed since then");
  }
}
