package io.alrai.dn.raft;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.stream.Stream;

/** The files of a member's log, which come and go while they are looked at. */
final class LogFiles {
  private LogFiles() {}

  /** Bytes of all of them. */
  static long bytes(Path directory) {
    try (Stream<Path> files = Files.walk(directory)) {
      return files.mapToLong(LogFiles::length).sum();
    } catch (NoSuchFileException gone) {
      return 0;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static long length(Path file) {
    try {
      return Files.isRegularFile(file) ? Files.size(file) : 0;
    } catch (IOException gone) {
      return 0;
    }
  }
}
