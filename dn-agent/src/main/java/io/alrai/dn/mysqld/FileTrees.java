package io.alrai.dn.mysqld;

import io.alrai.common.secret.PrivateFiles;
import io.alrai.dn.mysqld.MysqldException.Reason;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.Locale;
import java.util.Set;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Directory trees: copied durably, deleted, and what file errors mean. Blocking. */
final class FileTrees {
  private FileTrees() {}

  /** Creates a directory and its parents; it is for its owner only, also one that was there. */
  static void createPrivate(Path directory) {
    try {
      PrivateFiles.directory(directory);
    } catch (IOException e) {
      throw failure("create, for its owner alone,", directory, e);
    }
  }

  /** Creates a directory and its parents. */
  static void createDirectories(Path directory) {
    try {
      Files.createDirectories(directory);
    } catch (IOException e) {
      throw failure("create", directory, e);
    }
  }

  /** Makes a tree survive a loss of power. */
  static void forceAll(Path root) {
    try (Stream<Path> paths = Files.walk(root)) {
      for (Path path : paths.toList()) {
        force(path);
      }
    } catch (IOException e) {
      throw failure("write", root, e);
    }
  }

  /**
   * Copies a tree so that it survives a loss of power: every file and directory is forced. The copy
   * of each file goes through the kernel, which shares blocks where the file system can.
   *
   * @param leftOut names of files that are not copied
   */
  static void copyDurably(Path from, Path to, Set<String> leftOut) {
    try {
      Files.walkFileTree(from, new Copier(from, to, leftOut));
    } catch (IOException e) {
      throw failure("copy to", to, e);
    }
  }

  /** Renames inside one file system and makes the new name durable. */
  static void moveDurably(Path from, Path to) {
    try {
      Files.move(from, to, StandardCopyOption.ATOMIC_MOVE);
      Path parent = to.toAbsolutePath().getParent();
      if (parent != null) {
        force(parent);
      }
    } catch (IOException e) {
      throw failure("rename to", to, e);
    }
  }

  /** Deletes a tree; fine when there is none. */
  static void delete(Path root) {
    if (!Files.exists(root, LinkOption.NOFOLLOW_LINKS)) {
      return;
    }
    try {
      Files.walkFileTree(root, new Deleter());
    } catch (IOException e) {
      throw failure("delete", root, e);
    }
  }

  /** Says what a file error means. */
  static MysqldException failure(String action, Path path, IOException e) {
    String text = String.valueOf(e.getMessage());
    String sentence = "cannot " + action + " " + path + ": " + text;
    if (text.toLowerCase(Locale.ROOT).contains("no space left")) {
      return new MysqldException(Reason.DISK_FULL, sentence + "; free some disk space", e);
    }
    if (e instanceof AccessDeniedException) {
      return new MysqldException(
          Reason.PERMISSION, "cannot " + action + " " + path + ": permission denied", e);
    }
    return new MysqldException(Reason.IO, sentence, e);
  }

  private static void force(Path path) throws IOException {
    try (FileChannel channel = FileChannel.open(path, StandardOpenOption.READ)) {
      channel.force(true);
    }
  }

  private static final class Copier extends SimpleFileVisitor<Path> {
    private final Path from;
    private final Path to;
    private final Set<String> leftOut;

    Copier(Path from, Path to, Set<String> leftOut) {
      this.from = from;
      this.to = to;
      this.leftOut = leftOut;
    }

    private Path target(Path source) {
      return to.resolve(from.relativize(source));
    }

    @Override
    public FileVisitResult preVisitDirectory(Path directory, BasicFileAttributes attributes)
        throws IOException {
      Path target = target(directory);
      Files.createDirectory(target);
      Files.setPosixFilePermissions(target, Files.getPosixFilePermissions(directory));
      return FileVisitResult.CONTINUE;
    }

    @Override
    public FileVisitResult visitFile(Path file, BasicFileAttributes attributes) throws IOException {
      if (!leftOut.contains(String.valueOf(file.getFileName()))) {
        Path target = target(file);
        Files.copy(file, target, StandardCopyOption.COPY_ATTRIBUTES);
        force(target);
      }
      return FileVisitResult.CONTINUE;
    }

    @Override
    public FileVisitResult postVisitDirectory(Path directory, @Nullable IOException failure)
        throws IOException {
      if (failure != null) {
        throw failure;
      }
      force(target(directory));
      return FileVisitResult.CONTINUE;
    }
  }

  private static final class Deleter extends SimpleFileVisitor<Path> {
    @Override
    public FileVisitResult visitFile(Path file, BasicFileAttributes attributes) throws IOException {
      Files.delete(file);
      return FileVisitResult.CONTINUE;
    }

    @Override
    public FileVisitResult postVisitDirectory(Path directory, @Nullable IOException failure)
        throws IOException {
      if (failure != null) {
        throw failure;
      }
      Files.delete(directory);
      return FileVisitResult.CONTINUE;
    }
  }
}
