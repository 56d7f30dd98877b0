package io.alrai.dn.watch;

import io.alrai.common.file.FileErrors;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Whether a member has room on its disks. One whose disk is nearly full does not lead: it would
 * stop in the middle of a commit. Looks on one thread; asked on any.
 */
public final class DiskRoom {
  private static final Logger log = LoggerFactory.getLogger(DiskRoom.class);

  /** Below that a member does not lead. */
  static final long RESERVE_BYTES = 64 << 20;

  /** With less than that a mysqld may have found none. */
  static final long NONE_BYTES = 16 << 20;

  /** Below that somebody should make room; the alert about disks has the same bound. */
  static final long ALMOST_FULL_BYTES = 2L << 30;

  /** A little longer than a mysqld sleeps. */
  static final long SLEEP_NANOS = TimeUnit.SECONDS.toNanos(70);

  private final String name;
  private final Disk disk;
  private final List<Path> directories;
  private final LongSupplier nanos;
  private volatile String unfit = "";
  private volatile boolean none;
  private boolean foundNone;
  private boolean hadNone;
  private volatile boolean freed;
  private volatile long freedNanos;

  /** What is wrong with the disk of a directory; empty where it has room. Blocking. */
  public static String amiss(Disk disk, Path directory) {
    try {
      long left = disk.usableBytes(directory);
      return left >= ALMOST_FULL_BYTES
          ? ""
          : "the disk of " + directory + " has " + (left >> 20) + " MiB left";
    } catch (IOException e) {
      return "the disk of " + directory + " cannot be looked at: " + FileErrors.text(e);
    }
  }

  /** Looks at {@code directories}, of the member {@code name}. */
  public DiskRoom(String name, Disk disk, List<Path> directories, LongSupplier nanos) {
    this.name = name;
    this.disk = disk;
    this.directories = List.copyOf(directories);
    this.nanos = nanos;
  }

  /** Looks how much room is left; logs when that changes whether the member may lead. */
  public void look() {
    String before = unfit;
    // twice as much must be free before it is let lead again
    long least = before.isEmpty() ? RESERVE_BYTES : 2 * RESERVE_BYTES;
    foundNone = false;
    String now = directories.stream().map(each -> lacks(each, least)).reduce("", DiskRoom::first);
    unfit = now;
    none = foundNone;
    hadNone |= foundNone;
    if (before.isEmpty() && !now.isEmpty()) {
      log.error("{}: {}", name, now);
    } else if (!before.isEmpty() && now.isEmpty()) {
      log.info("{}: its disks have room again", name);
      if (hadNone) {
        freedNanos = nanos.getAsLong();
        freed = true;
        hadNone = false;
      }
    }
  }

  private static String first(String one, String other) {
    return one.isEmpty() ? other : one;
  }

  private String lacks(Path directory, long least) {
    try {
      long left = disk.usableBytes(directory);
      foundNone |= left < NONE_BYTES;
      return left >= least
          ? ""
          : "the disk of "
              + directory
              + " has "
              + (left >> 20)
              + " MiB left: the member does not lead with less than "
              + (least >> 20);
    } catch (IOException e) {
      return "the disk of " + directory + " cannot be looked at: " + FileErrors.text(e);
    }
  }

  /**
   * Whether there is room again since a moment that is later than another one and not long ago. A
   * mysqld that found none sleeps for a minute before it writes on (MY_WAIT_FOR_USER_TO_FIX_PANIC),
   * whatever the disk has by then.
   */
  public boolean freedSince(long since) {
    long at = freedNanos;
    return freed && unfit.isEmpty() && at - since > 0 && nanos.getAsLong() - at < SLEEP_NANOS;
  }

  /** Whether its mysqld may find no room at all: then it does not serve. */
  public boolean hasNone() {
    return none;
  }

  /** Why the member must not lead; empty where it may. */
  public String unfit() {
    return unfit;
  }
}
