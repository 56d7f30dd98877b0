package io.alrai.cn.process;

import io.alrai.common.error.AlraiException;
import io.alrai.common.error.ErrorCode;
import io.alrai.common.secret.PrivateFiles;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * {@code DIR/run}: a file {@code NAME.pid} for each process of a cluster, with its number, and
 * {@code NAME.url} with the URL that it serves if clients may use it.
 */
public final class RunDirectory {
  private final Path directory;

  public RunDirectory(Path data) {
    this.directory = data.resolve("run");
  }

  /** The process of this name, if it runs. */
  public Optional<ProcessHandle> process(String name) {
    Path file = directory.resolve(name + ".pid");
    try {
      if (!Files.exists(file)) {
        return Optional.empty();
      }
      String[] words = Files.readString(file).strip().split(" ");
      long started = words.length > 1 ? Long.parseLong(words[1]) : 0;
      return ProcessHandle.of(Long.parseLong(words[0]))
          .filter(RunDirectory::runs)
          .filter(handle -> started == 0 || started == startedMillis(handle));
    } catch (IOException | NumberFormatException e) {
      return Optional.empty();
    }
  }

  /** Whether a process does anything still. */
  public static boolean runs(ProcessHandle process) {
    return process.isAlive() && !ended(process.pid());
  }

  /**
   * Whether a process was killed and only waits for its parent to notice: isAlive() is true then.
   */
  private static boolean ended(long pid) {
    Path stat = Path.of("/proc", Long.toString(pid), "stat");
    try {
      String line = Files.readString(stat, StandardCharsets.ISO_8859_1);
      // pid (name, which may have blanks and parentheses) state ...
      String state = line.substring(line.lastIndexOf(')') + 1).strip();
      return state.startsWith("Z") || state.startsWith("X");
    } catch (NoSuchFileException gone) {
      return Files.isDirectory(Path.of("/proc/self"));
    } catch (IOException e) {
      return false;
    }
  }

  /** When a process started, so that a reused number is not taken for it. */
  private static long startedMillis(ProcessHandle handle) {
    return handle.info().startInstant().map(instant -> instant.toEpochMilli()).orElse(0L);
  }

  /** Names of all that have a file here. */
  public List<String> names() {
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
      PrivateFiles.directory(directory);
      ProcessHandle self = ProcessHandle.current();
      PrivateFiles.write(
          directory.resolve(name + ".pid"), self.pid() + " " + startedMillis(self) + "\n");
    } catch (IOException e) {
      throw unusable(e);
    }
  }

  /** Takes a name out. */
  public void leave(String name) {
    try {
      Files.deleteIfExists(directory.resolve(name + ".pid"));
      Files.deleteIfExists(directory.resolve(name + ".url"));
    } catch (IOException e) {
      throw unusable(e);
    }
  }

  /** Notes the URL that the process of this name serves. */
  public void endpoint(String name, String url) {
    try {
      PrivateFiles.write(directory.resolve(name + ".url"), url + "\n");
    } catch (IOException e) {
      throw unusable(e);
    }
  }

  /** A URL that is served: of the first process, in the order of names, that runs and has one. */
  public Optional<String> endpoint() {
    return names().stream()
        .filter(name -> process(name).isPresent())
        .map(name -> directory.resolve(name + ".url"))
        .filter(Files::exists)
        .findFirst()
        .map(this::line);
  }

  private String line(Path file) {
    try {
      return Files.readString(file).strip();
    } catch (IOException e) {
      throw unusable(e);
    }
  }

  private AlraiException unusable(IOException cause) {
    return new AlraiException(
        ErrorCode.ALRAI_NODE_UNAVAILABLE,
        "the directory " + directory + " cannot be used: " + cause.getMessage(),
        cause);
  }
}
