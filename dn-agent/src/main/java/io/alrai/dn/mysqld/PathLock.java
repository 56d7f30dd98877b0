package io.alrai.dn.mysqld;

import io.alrai.dn.mysqld.MysqldException.Reason;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/**
 * One holder at a time over all threads and processes of a machine. The operating system lets go of
 * it when the holder's process ends in whatever way; the file stays.
 *
 * <p>The lock is fcntl's, which belongs to the process and is lost when the process closes
 * <em>any</em> descriptor of the file. So a file that this process holds is never opened a second
 * time; that is what the one piece of static state is for.
 */
final class PathLock implements AutoCloseable {
  private static final Set<Path> HELD_BY_THIS_PROCESS = ConcurrentHashMap.newKeySet();
  private static final long POLL_MILLIS = 100;

  private final Path file;
  private final FileChannel channel;

  private PathLock(Path file, FileChannel channel) {
    this.file = file;
    this.channel = channel;
  }

  /** Empty when somebody else holds it. The file's directory must exist. */
  static Optional<PathLock> tryAcquire(Path path) {
    Path file = path.toAbsolutePath().normalize();
    if (!HELD_BY_THIS_PROCESS.add(file)) {
      return Optional.empty();
    }
    boolean acquired = false;
    try {
      FileChannel channel =
          FileChannel.open(file, StandardOpenOption.CREATE, StandardOpenOption.WRITE);
      acquired = channel.tryLock() != null;
      if (!acquired) {
        channel.close();
        return Optional.empty();
      }
      return Optional.of(new PathLock(file, channel));
    } catch (IOException e) {
      throw FileTrees.failure("lock", file, e);
    } finally {
      if (!acquired) {
        HELD_BY_THIS_PROCESS.remove(file);
      }
    }
  }

  /** Waits as long as it takes; {@code whenHeld} is called once if it must wait. */
  static PathLock acquire(Path file, Runnable whenHeld) {
    Optional<PathLock> lock = tryAcquire(file);
    if (lock.isEmpty()) {
      whenHeld.run();
    }
    while (lock.isEmpty()) {
      try {
        Thread.sleep(POLL_MILLIS);
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
        throw new MysqldException(Reason.INTERRUPTED, "interrupted while waiting for " + file, e);
      }
      lock = tryAcquire(file);
    }
    return lock.get();
  }

  @Override
  public void close() {
    try {
      channel.close();
    } catch (IOException e) {
      throw FileTrees.failure("unlock", file, e);
    } finally {
      HELD_BY_THIS_PROCESS.remove(file);
    }
  }
}
