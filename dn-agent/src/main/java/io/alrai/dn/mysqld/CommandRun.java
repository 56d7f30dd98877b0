package io.alrai.dn.mysqld;

import io.alrai.common.process.ChildProcess;
import io.alrai.dn.mysqld.MysqldException.Reason;
import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * The end of a short command: its exit code and what it printed, both streams together.
 *
 * @param exitCode 0 is success
 * @param output without the last line break
 */
record CommandRun(int exitCode, String output) {

  /**
   * Runs a command to its end, without input.
   *
   * @throws MysqldException TIMEOUT, after it was killed; TOOL_MISSING when it cannot be run at all
   */
  static CommandRun of(List<String> command, Duration bound) {
    Path captured = null;
    try {
      captured = Files.createTempFile("alrai-", ".out");
      Process process =
          ChildProcess.of(command)
              .redirectInput(new File("/dev/null"))
              .redirectErrorStream(true)
              .redirectOutput(captured.toFile())
              .start();
      awaitEnd(process, command, bound);
      String output = Files.readString(captured, StandardCharsets.ISO_8859_1).strip();
      return new CommandRun(process.exitValue(), output);
    } catch (IOException e) {
      throw new MysqldException(
          Reason.TOOL_MISSING, "cannot run " + command.getFirst() + ": " + e.getMessage(), e);
    } finally {
      delete(captured);
    }
  }

  private static void awaitEnd(Process process, List<String> command, Duration bound) {
    try {
      if (!process.waitFor(bound.toNanos(), TimeUnit.NANOSECONDS)) {
        process.destroyForcibly();
        throw new MysqldException(
            Reason.TIMEOUT, command.getFirst() + " did not end within " + bound.toSeconds() + " s");
      }
    } catch (InterruptedException e) {
      process.destroyForcibly();
      Thread.currentThread().interrupt();
      throw new MysqldException(
          Reason.INTERRUPTED, "interrupted while running " + command.getFirst(), e);
    }
  }

  private static void delete(@Nullable Path captured) {
    if (captured == null) {
      return;
    }
    try {
      Files.deleteIfExists(captured);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** The last lines of the output, for an error's sentence. */
  String tail(int lines) {
    List<String> all = output.lines().toList();
    return String.join("\n", all.subList(Math.max(0, all.size() - lines), all.size()));
  }
}
