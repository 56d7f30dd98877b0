package io.alrai.cn.console;

import io.alrai.common.error.AlraiException;
import io.alrai.common.error.ErrorCode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * {@code DIR/run}: a file {@code NAME.pid} for each process of a cluster, with its number, and
 * {@code endpoint} with the URL that it serves.
 */
final class RunDirectory {
  private final Path directory;

  RunDirectory(Path data) {
    this.directory = data.resolve("run");
  }

  /** The process of this name, if it runs. */
  Optional<ProcessHandle> process(String name) {
    Path file = directory.resolve(name + ".pid");
    try {
      if (!Files.exists(file)) {
        return Optional.empty();
      }
      String[] words = Files.readString(file).strip().split(" ");
      long started = words.length > 1 ? Long.parseLong(words[1]) : 0;
      return ProcessHandle.of(Long.parseLong(words[0]))
          .filter(ProcessHandle::isAlive)
          .filter(handle -> started == 0 || started == startedMillis(handle));
    } catch (IOException | NumberFormatException e) {
      return Optional.empty();
    }
  }

  /** When a process started, so that a reused number is not taken for it. */
  private static long startedMillis(ProcessHandle handle) {
    return handle.info().startInstant().map(instant -> instant.toEpochMilli()).orElse(0L);
  }

  /** Names of all that have a file here. */
  List<String> names() {
    List<String> names = new ArrayList<>();
    if (Files.isDirectory(directory)) {
      try (Stream<Path> files = Files.list(directory)) {
        files
            .map(file -> String.valueOf(file.getFileName()))
            .filter(name -> name.endsWith(".pid"))
            .map(name -> name.substring(0, name.length() - ".pid".length()))
            .sorted()
            .forEach(names::add);
      } catch (IOException e) {
        throw unusable(e);
      }
    }
    return names;
  }

  /** Notes this process under a name. */
  void enter(String name) {
    try {
      Files.createDirectories(directory);
      ProcessHandle self = ProcessHandle.current();
      Files.writeString(
          directory.resolve(name + ".pid"), self.pid() + " " + startedMillis(self) + "\n");
    } catch (IOException e) {
      throw unusable(e);
    }
  }

  /** Takes a name out. */
  void leave(String name) {
    try {
      Files.deleteIfExists(directory.resolve(name + ".pid"));
      Files.deleteIfExists(directory.resolve("endpoint"));
    } catch (IOException e) {
      throw unusable(e);
    }
  }

  /** Notes the URL that is served. */
  void endpoint(String url) {
    try {
      Files.writeString(directory.resolve("endpoint"), url + "\n");
    } catch (IOException e) {
      throw unusable(e);
    }
  }

  /** The URL that is served, if there is one. */
  Optional<String> endpoint() {
    Path file = directory.resolve("endpoint");
    try {
      return Files.exists(file) ? Optional.of(Files.readString(file).strip()) : Optional.empty();
    } catch (IOException e) {
      return Optional.empty();
    }
  }

  private AlraiException unusable(IOException cause) {
    return new AlraiException(
        ErrorCode.ALRAI_NODE_UNAVAILABLE,
        "the directory " + directory + " cannot be used: " + cause.getMessage(),
        cause);
  }
}
