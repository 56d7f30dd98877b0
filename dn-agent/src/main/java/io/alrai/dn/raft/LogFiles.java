package io.alrai.dn.raft;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/** The files of a member's log, which come and go while they are looked at. */
final class LogFiles {
  private static final Pattern CLOSED = Pattern.compile("log_(\\d+)-(\\d+)");

  private LogFiles() {}

  /** One that is full: nothing is added to it any more. */
  record Closed(long first, long last, long bytes) {}

  /** Whether a file of that name is one that is full. */
  static boolean isClosed(String name) {
    return CLOSED.matcher(name).matches();
  }

  /** Bytes of all of them. */
  static long bytes(Path directory) {
    return regular(directory).stream().mapToLong(LogFiles::length).sum();
  }

  /** Those that are full, the oldest first. */
  static List<Closed> closed(Path directory) {
    List<Closed> found = new ArrayList<>();
    for (Path file : regular(directory)) {
      Matcher name = CLOSED.matcher(file.getFileName().toString());
      if (name.matches()) {
        found.add(
            new Closed(Long.parseLong(name.group(1)), Long.parseLong(name.group(2)), length(file)));
      }
    }
    found.sort(Comparator.comparingLong(Closed::first));
    return found;
  }

  private static List<Path> regular(Path directory) {
    if (!Files.isDirectory(directory)) {
      return List.of();
    }
    try (Stream<Path> files = Files.walk(directory)) {
      return files.filter(Files::isRegularFile).toList();
    } catch (UncheckedIOException changing) {
      return List.of();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static long length(Path file) {
    try {
      return Files.size(file);
    } catch (IOException gone) {
      return 0;
    }
  }
}
