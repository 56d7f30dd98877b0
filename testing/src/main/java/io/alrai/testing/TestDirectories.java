package io.alrai.testing;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Stream;

/** Directories for servers of tests: short paths, as sockets need. */
public final class TestDirectories {
  private TestDirectories() {}

  /** A new one in the directory for temporary files. */
  public static Path create(String prefix) {
    try {
      return Files.createTempDirectory(prefix);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Deletes it with all that is in it. */
  public static void remove(Path directory) {
    try {
      List<Path> all;
      try (Stream<Path> files = Files.walk(directory)) {
        all = files.sorted(Comparator.reverseOrder()).toList();
      }
      for (Path path : all) {
        Files.deleteIfExists(path);
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
