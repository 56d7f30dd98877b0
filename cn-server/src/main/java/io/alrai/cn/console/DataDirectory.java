package io.alrai.cn.console;

import io.alrai.common.error.AlraiException;
import io.alrai.common.error.ErrorCode;
import io.alrai.common.file.DiskSpace;
import io.alrai.common.file.FileErrors;
import io.alrai.dn.mysqld.MysqldMemory;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayDeque;
import java.util.Deque;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** A directory for data, tried before anything is put into it. Blocking; any thread. */
final class DataDirectory {
  /** What a mysqld writes besides its redo log before it serves for the first time. */
  private static final long NEW_MYSQLD_BYTES = 160L << 20;

  /** Without this much nothing starts: logs and pid files could not be written. */
  private static final long LEAST_BYTES = 32L << 20;

  private static final Logger log = LoggerFactory.getLogger(DataDirectory.class);
  private static final int BLOCK = 4096;

  private DataDirectory() {}

  /**
   * Makes the directory if need be, and writes into it for a trial.
   *
   * @param newMysqlds how many will be made there
   * @throws AlraiException with a sentence that says what is wrong; no directory is left then that
   *     was not there before
   */
  static void require(Path directory, int newMysqlds) {
    Deque<Path> made = missing(directory);
    boolean usable = false;
    try {
      Files.createDirectories(directory);
      tryToWrite(directory);
      long needed = LEAST_BYTES;
      if (newMysqlds > 0) {
        long redoLog = MysqldMemory.shareOfThisMachine(newMysqlds).redoLogBytes();
        needed += newMysqlds * (NEW_MYSQLD_BYTES + redoLog);
      }
      long room = DiskSpace.usable(directory);
      if (room < needed) {
        throw unusable(
            directory,
            "its disk has only " + (room >> 20) + " MiB left, " + (needed >> 20) + " are needed",
            null);
      }
      usable = true;
    } catch (FileAlreadyExistsException e) {
      throw unusable(directory, e.getFile() + " is not a directory", e);
    } catch (IOException e) {
      throw unusable(directory, FileErrors.text(e), e);
    } finally {
      if (!usable) {
        remove(made);
      }
    }
  }

  /** The directories that have to be made, the innermost first. */
  private static Deque<Path> missing(Path directory) {
    Deque<Path> missing = new ArrayDeque<>();
    for (Path at = directory; at != null && Files.notExists(at); at = at.getParent()) {
      missing.addLast(at);
    }
    return missing;
  }

  private static void tryToWrite(Path directory) throws IOException {
    Path trial = Files.createTempFile(directory, ".trial", "");
    try (FileChannel channel = FileChannel.open(trial, StandardOpenOption.WRITE)) {
      channel.write(ByteBuffer.allocate(BLOCK));
      channel.force(true);
    } finally {
      Files.delete(trial);
    }
  }

  private static void remove(Deque<Path> made) {
    try {
      for (Path directory : made) {
        if (Files.isDirectory(directory)) {
          Files.delete(directory);
        }
      }
    } catch (IOException e) {
      log.warn("a directory that was made for nothing stays: {}", FileErrors.text(e));
    }
  }

  private static AlraiException unusable(
      Path directory, String reason, @Nullable IOException cause) {
    String sentence =
        "the data directory "
            + directory
            + " cannot be used: "
            + reason
            + "; choose another with --data, or mend that";
    return cause == null
        ? new AlraiException(ErrorCode.ALRAI_NODE_UNAVAILABLE, sentence)
        : new AlraiException(ErrorCode.ALRAI_NODE_UNAVAILABLE, sentence, cause);
  }
}
