package io.alrai.common.file;

import java.io.IOException;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.Set;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Directory trees: copied, forced to disk, deleted. Blocking; any thread. */
public final class Trees {
  private Trees() {}

  /** Forces every file and directory of a tree to disk. */
  public static void forceAll(Path root) throws IOException {
    try (Stream<Path> paths = Files.walk(root)) {
      for (Path path : paths.toList()) {
        DurableFiles.force(path);
      }
    }
  }

  /**
   * Copies a tree and then forces every file and directory of the copy to disk, which is faster
   * than each at once. Each file goes through the kernel, which shares blocks where the file system
   * can.
   *
   * @param to is not there; its parent is
   * @param leftOut names of files that are not copied
   */
  public static void copyDurably(Path from, Path to, Set<String> leftOut) throws IOException {
    Files.walkFileTree(from, new Copier(from, to, leftOut));
    forceAll(to);
  }

  /** Deletes a tree; fine when there is none. */
  public static void delete(Path root) throws IOException {
    if (Files.exists(root, LinkOption.NOFOLLOW_LINKS)) {
      Files.walkFileTree(root, new Deleter());
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
        Files.copy(file, target(file), StandardCopyOption.COPY_ATTRIBUTES);
      }
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
