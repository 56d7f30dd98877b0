package io.alrai.executor.spill;

import io.alrai.common.error.AlraiException;
import io.alrai.common.error.ErrorCode;
import io.alrai.common.file.DiskSpace;
import io.alrai.common.file.FileErrors;
import java.io.IOException;
import java.nio.channels.ClosedByInterruptException;
import java.nio.channels.FileChannel;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;

/** The files of one query. Thread-safe; closed after the last task. */
public final class SpillSpace implements AutoCloseable {
  private static final int NO_SPACE = 28;

  private final SpillDirectory directory;
  private final long mostBytes;
  private final Runnable check;
  private final Set<SpillFile> files = ConcurrentHashMap.newKeySet();
  private final AtomicLong held = new AtomicLong();
  private final AtomicLong written = new AtomicLong();

  SpillSpace(SpillDirectory directory, long mostBytes, Runnable check) {
    this.directory = directory;
    this.mostBytes = mostBytes;
    this.check = check;
  }

  /** A file; nothing is on disk before its first row. */
  public SpillFile file() {
    SpillFile file = new SpillFile(this);
    files.add(file);
    return file;
  }

  /** Bytes that were written so far. */
  public long writtenBytes() {
    return written.get();
  }

  FileChannel create() {
    try {
      return directory.create();
    } catch (IOException e) {
      throw failure(e, 1);
    }
  }

  /** Before bytes are written. */
  void take(long bytes) {
    check.run();
    if (held.addAndGet(bytes) > mostBytes) {
      held.addAndGet(-bytes);
      throw new AlraiException(
          ErrorCode.ER_RECORD_FILE_FULL,
          "The table '"
              + directory.path()
              + "' is full: the query needs more on disk than ap_spill_limit = "
              + mostBytes
              + " bytes");
    }
    written.addAndGet(bytes);
    directory.wrote(bytes);
  }

  void freed(SpillFile file, long bytes) {
    files.remove(file);
    held.addAndGet(-bytes);
    directory.freed(bytes);
  }

  AlraiException failure(IOException e, long bytes) {
    if (e instanceof ClosedByInterruptException) {
      return AlraiException.interruption(e);
    }
    if (isFull(e, bytes)) {
      return new AlraiException(
          ErrorCode.ER_DISK_FULL,
          "Disk full ("
              + directory.path()
              + "); the query needs it for rows that do not fit in its memory (errno: "
              + NO_SPACE
              + " - "
              + e.getMessage()
              + ")",
          e);
    }
    return new AlraiException(
        ErrorCode.ER_ERROR_ON_WRITE,
        "cannot write rows that do not fit in memory to "
            + directory.path()
            + ": "
            + FileErrors.text(e),
        e);
  }

  private boolean isFull(IOException e, long bytes) {
    String message = String.valueOf(e.getMessage()).toLowerCase(Locale.ROOT);
    if (message.contains("no space left") || message.contains("quota")) {
      return true;
    }
    try {
      return DiskSpace.usable(directory.path()) < bytes;
    } catch (IOException unknown) {
      e.addSuppressed(unknown);
      return false;
    }
  }

  @Override
  public void close() {
    List.copyOf(files).forEach(SpillFile::close);
  }
}
