package io.alrai.cn.cursor;

import io.alrai.common.error.AlraiException;
import io.alrai.common.error.ErrorCode;
import io.alrai.common.metrics.Metric;
import io.alrai.common.metrics.Metrics;
import io.alrai.executor.spill.SpillDirectory;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.LongAdder;

/** What the open cursors of a CN may take of its memory and its disk. Thread-safe. */
public final class CursorRoom {
  /**
   * The bounds.
   *
   * @param memory bytes of rows on the heap, of all cursors; what is more goes to disk
   * @param cursorBytes on disk, of one cursor
   * @param allBytes on disk, of all
   * @param files of cursors with rows on disk
   */
  record Bounds(long memory, long cursorBytes, long allBytes, int files) {}

  private static final int SHARE_OF_HEAP = 16;

  private final Path directory;
  private final Bounds bounds;
  private final LongAdder written;
  private final AtomicInteger open = new AtomicInteger();
  private final AtomicInteger files = new AtomicInteger();
  private final AtomicLong memory = new AtomicLong();
  private final AtomicLong disk = new AtomicLong();

  /**
   * The room of a process: a sixteenth of its heap, and 16 GiB of disk for each, 64 GiB for all.
   */
  public static CursorRoom of(Metrics metrics) {
    CursorRoom room =
        new CursorRoom(
            SpillDirectory.system(),
            new Bounds(
                Runtime.getRuntime().maxMemory() / SHARE_OF_HEAP, 16L << 30, 64L << 30, 4_096),
            metrics.adder(Metric.CURSOR_SPILLED));
    metrics.now(Metric.CURSORS, room.open::get);
    metrics.now(Metric.CURSOR_DISK, room.disk::get);
    return room;
  }

  CursorRoom(Path directory, Bounds bounds, LongAdder written) {
    this.directory = directory;
    this.bounds = bounds;
    this.written = written;
  }

  /** A cursor without rows; to be closed. */
  public CursorRows open() {
    open.incrementAndGet();
    return new CursorRows(this);
  }

  void closed() {
    open.decrementAndGet();
  }

  /** Whether so many bytes of rows may stay in memory. */
  boolean takeMemory(int bytes) {
    if (memory.addAndGet(bytes) > bounds.memory) {
      memory.addAndGet(-bytes);
      return false;
    }
    return true;
  }

  void freeMemory(long bytes) {
    memory.addAndGet(-bytes);
  }

  /**
   * A file that is gone when it is closed, and has no name meanwhile.
   *
   * @throws AlraiException 1041 where there are too many, 1021, 1026
   */
  FileChannel createFile() {
    if (files.incrementAndGet() > bounds.files) {
      files.decrementAndGet();
      throw new AlraiException(
          ErrorCode.ER_OUT_OF_RESOURCES,
          "Out of resources: "
              + bounds.files
              + " cursors have rows on disk, and more may not; close some, or read them to their"
              + " end");
    }
    try {
      return SpillDirectory.createNameless(directory);
    } catch (IOException e) {
      files.decrementAndGet();
      throw failure(e);
    }
  }

  /**
   * Before bytes are written.
   *
   * @param before how many the cursor has on disk
   * @throws AlraiException 1114 past a limit
   */
  void takeDisk(long before, int bytes) {
    if (before + bytes > bounds.cursorBytes) {
      throw full("the cursor has " + bounds.cursorBytes + " bytes, the most that one may have");
    }
    if (disk.addAndGet(bytes) > bounds.allBytes) {
      disk.addAndGet(-bytes);
      throw full("all cursors have " + bounds.allBytes + " bytes, the most that they may have");
    }
    written.add(bytes);
  }

  private AlraiException full(String why) {
    return new AlraiException(
        ErrorCode.ER_RECORD_FILE_FULL,
        "The table '" + directory + "' is full: " + why + " on disk");
  }

  void fileClosed(long bytes) {
    files.decrementAndGet();
    disk.addAndGet(-bytes);
  }

  /** The client's error where a file cannot be written. */
  AlraiException failure(IOException e) {
    String message = String.valueOf(e.getMessage());
    if (message.contains("No space left") || message.contains("quota")) {
      return new AlraiException(
          ErrorCode.ER_DISK_FULL,
          "Disk full (" + directory + "); the rows of a cursor need it: " + message,
          e);
    }
    return new AlraiException(
        ErrorCode.ER_ERROR_ON_WRITE,
        "cannot write the rows of a cursor to " + directory + ": " + message,
        e);
  }
}
