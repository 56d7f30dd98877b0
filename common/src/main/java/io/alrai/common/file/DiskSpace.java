package io.alrai.common.file;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;

/** How much room a file system has. Blocking; any thread. */
public final class DiskSpace {
  private DiskSpace() {}

  /**
   * Bytes that this user may still write where this file or directory is. A FileStore would say the
   * same, but is not to be had in a chroot: it is looked up in the table of mounts.
   */
  public static long usable(Path path) throws IOException {
    if (!Files.exists(path)) {
      throw new NoSuchFileException(path.toString());
    }
    return path.toFile().getUsableSpace();
  }
}
