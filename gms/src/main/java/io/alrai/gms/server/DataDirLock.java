package io.alrai.gms.server;

import io.alrai.common.error.AlraiException;
import io.alrai.common.error.ErrorCode;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.channels.OverlappingFileLockException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import org.jspecify.annotations.Nullable;

/** Keeps a second GMS, of this process or another one, out of a data directory. */
public final class DataDirLock implements AutoCloseable {
  private final FileChannel channel;

  private DataDirLock(FileChannel channel) {
    this.channel = channel;
  }

  /**
   * Takes the lock; it ends with {@link #close} or the process.
   *
   * @throws AlraiException ALRAI_NODE_UNAVAILABLE when somebody has it
   */
  public static DataDirLock take(Path dataDir) throws IOException {
    FileChannel channel =
        FileChannel.open(
            dataDir.resolve("gms.lock"), StandardOpenOption.CREATE, StandardOpenOption.WRITE);
    if (tryLock(channel) == null) {
      channel.close();
      throw new AlraiException(
          ErrorCode.ALRAI_NODE_UNAVAILABLE,
          "the GMS' data directory " + dataDir + " is used by another process");
    }
    return new DataDirLock(channel);
  }

  private static @Nullable FileLock tryLock(FileChannel channel) throws IOException {
    try {
      return channel.tryLock();
    } catch (OverlappingFileLockException e) {
      return null; // another GMS of this process
    }
  }

  @Override
  public void close() throws IOException {
    channel.close();
  }
}
