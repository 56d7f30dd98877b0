package io.alrai.dn.watch;

import java.io.IOException;
import java.nio.file.Path;
import java.util.Optional;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Notices that a leader's disk stands still: its log's syncs, which nobody waits for while others
 * are faster, and a small file beside its mysqld, as every commit there waits for a sync. What this
 * process has slept is not the disk's. One thread at a time.
 */
public final class StallWatch {
  /** A sync of a leader that takes longer is a stall. */
  public static final long MOST_NANOS = TimeUnit.SECONDS.toNanos(2);

  /**
   * And of a follower: one on the same disk as its leader finds out before that one asks who is
   * well.
   */
  public static final long FOLLOWERS_MOST_NANOS = TimeUnit.MILLISECONDS.toNanos(500);

  /** Between two syncs of the small file. */
  private static final long EVERY_NANOS = TimeUnit.SECONDS.toNanos(1);

  private final Disk disk;
  private final Path directory;
  private final LongSupplier written;
  private final LongSupplier synced;
  private final Executor syncing;
  private volatile @Nullable Sync last;
  private long lastSynced = -1;
  private long movedNanos;
  private long lookedNanos;
  private boolean looks;

  /** A sync of the small file. */
  private static final class Sync {
    long begunNanos;
    volatile boolean over;
    volatile String error = "";

    Sync(long begunNanos) {
      this.begunNanos = begunNanos;
    }
  }

  /**
   * A watch that does not look yet.
   *
   * @param directory of the small file
   * @param syncing waits for the file's syncs
   * @param written the last entry of the member's log
   * @param synced the last one that is on its disk
   */
  public StallWatch(
      Disk disk, Path directory, Executor syncing, LongSupplier written, LongSupplier synced) {
    this.disk = disk;
    this.syncing = syncing;
    this.directory = directory;
    this.written = written;
    this.synced = synced;
  }

  /**
   * Looks.
   *
   * @param now as {@link System#nanoTime}
   * @param everyNanos between two looks
   * @param mostNanos a sync that takes longer is a stall
   * @return what stands still; empty where nothing does
   */
  public Optional<String> look(long now, long everyNanos, long mostNanos) {
    long slept = looks ? Math.max(0, now - lookedNanos - 2 * everyNanos) : 0;
    Sync present = last;
    if (!looks) {
      movedNanos = now;
      if (present != null && !present.over) {
        present.begunNanos = now;
      }
    }
    looks = true;
    lookedNanos = now;
    movedNanos += slept;
    long at = synced.getAsLong();
    if (at != lastSynced || at >= written.getAsLong()) {
      movedNanos = now;
    }
    lastSynced = at;
    Optional<String> file = file(now, slept, mostNanos);
    return now - movedNanos > mostNanos
        ? Optional.of("its log is not synced since " + millis(now - movedNanos) + " ms")
        : file;
  }

  private Optional<String> file(long now, long slept, long mostNanos) {
    Sync present = last;
    if (present == null || present.over && now - present.begunNanos >= EVERY_NANOS) {
      String error = present == null ? "" : present.error;
      begin(new Sync(now));
      return reason(error);
    }
    if (present.over) {
      return reason(present.error);
    }
    present.begunNanos += slept;
    return now - present.begunNanos > mostNanos
        ? Optional.of(
            "its disk does not sync a file in "
                + directory
                + " since "
                + millis(now - present.begunNanos)
                + " ms")
        : Optional.empty();
  }

  private Optional<String> reason(String error) {
    return error.isEmpty()
        ? Optional.empty()
        : Optional.of("its disk does not take a file in " + directory + ": " + error);
  }

  private void begin(Sync next) {
    last = next;
    try {
      syncing.execute(() -> {
        try {
          disk.sync(directory);
        } catch (IOException e) {
          next.error = String.valueOf(e.getMessage());
        } finally {
          next.over = true;
        }
      });
    } catch (RejectedExecutionException ending) {
      next.over = true;
    }
  }

  private static long millis(long nanos) {
    return TimeUnit.NANOSECONDS.toMillis(nanos);
  }
}
