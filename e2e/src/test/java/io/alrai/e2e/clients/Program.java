package io.alrai.e2e.clients;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/** Runs a program of this machine and keeps what it says. */
final class Program {
  /**
   * How it ended.
   *
   * @param code of its exit; -1 when it ran out of time
   * @param output both of its streams
   */
  record Ending(int code, String output) {}

  private Program() {}

  /** The program's file, if a directory of PATH has it. */
  static Optional<Path> find(String name) {
    return Stream.of(System.getenv().getOrDefault("PATH", "").split(":", -1))
        .filter(directory -> !directory.isEmpty())
        .map(directory -> Path.of(directory, name))
        .filter(Files::isExecutable)
        .findFirst();
  }

  /**
   * Runs it to its end.
   *
   * @param input a file for its standard input
   */
  static Ending run(
      Path directory,
      Map<String, String> environment,
      Optional<Path> input,
      int timeoutSeconds,
      List<String> command)
      throws InterruptedException {
    try {
      Path output = Files.createTempFile("client-", ".out");
      ProcessBuilder builder =
          new ProcessBuilder(command)
              .directory(directory.toFile())
              .redirectErrorStream(true)
              .redirectOutput(output.toFile());
      builder.environment().putAll(environment);
      builder.redirectInput(input.orElse(Path.of("/dev/null")).toFile());
      Process process = builder.start();
      boolean ended = process.waitFor(timeoutSeconds, TimeUnit.SECONDS);
      if (!ended) {
        process.descendants().forEach(ProcessHandle::destroyForcibly);
        process.destroyForcibly().waitFor();
      }
      String said = new String(Files.readAllBytes(output), StandardCharsets.UTF_8);
      Files.delete(output);
      return new Ending(ended ? process.exitValue() : -1, said);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
