package io.alrai.common.secret;

import io.alrai.common.file.DurableFiles;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.EnumSet;
import java.util.Set;

/** Files and directories that only their owner may read. Blocking; any thread. */
public final class PrivateFiles {
  private static final Set<PosixFilePermission> DIRECTORY =
      PosixFilePermissions.fromString("rwx------");
  private static final Set<PosixFilePermission> FILE = PosixFilePermissions.fromString("rw-------");
  private static final Set<PosixFilePermission> OWNERS =
      EnumSet.of(
          PosixFilePermission.OWNER_READ,
          PosixFilePermission.OWNER_WRITE,
          PosixFilePermission.OWNER_EXECUTE);

  private PrivateFiles() {}

  /**
   * Makes a directory, and its parents as usual; one that others may enter is closed to them.
   * Several may make the same one at a time.
   *
   * @throws IOException also when it is not ours to close
   */
  public static void directory(Path directory) throws IOException {
    Path parent = directory.toAbsolutePath().getParent();
    if (parent != null) {
      Files.createDirectories(parent);
    }
    try {
      Files.createDirectory(directory, PosixFilePermissions.asFileAttribute(DIRECTORY));
    } catch (FileAlreadyExistsException e) {
      if (!Files.isDirectory(directory)) {
        throw e;
      }
      if (openToOthers(directory)) {
        Files.setPosixFilePermissions(directory, DIRECTORY);
      }
    }
  }

  /**
   * Writes a file anew; a reader finds what was there before, or all of it, also after a power cut.
   */
  public static void write(Path file, String text) throws IOException {
    Path fresh = file.resolveSibling(file.getFileName() + ".new");
    Files.deleteIfExists(fresh);
    try (FileChannel channel =
        FileChannel.open(
            fresh,
            Set.of(StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE),
            PosixFilePermissions.asFileAttribute(FILE))) {
      ByteBuffer content = ByteBuffer.wrap(text.getBytes(StandardCharsets.UTF_8));
      while (content.hasRemaining()) {
        channel.write(content);
      }
      channel.force(true);
    }
    Files.move(fresh, file, StandardCopyOption.ATOMIC_MOVE);
    DurableFiles.force(file.resolveSibling("."));
  }

  /** Takes from others what they may do with a file that is there. */
  public static void close(Path file) throws IOException {
    if (openToOthers(file)) {
      Files.setPosixFilePermissions(file, FILE);
    }
  }

  /** Whether anybody but the owner, and root, may do anything with it. */
  public static boolean openToOthers(Path file) throws IOException {
    return !OWNERS.containsAll(Files.getPosixFilePermissions(file));
  }
}
