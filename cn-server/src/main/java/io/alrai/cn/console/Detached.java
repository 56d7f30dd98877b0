package io.alrai.cn.console;

import io.alrai.common.error.AlraiException;
import io.alrai.common.error.ErrorCode;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** Starts a command of this launcher as a process of its own that outlives this one. */
final class Detached {
  private static final long START_SECONDS = 600;

  /** A process that serves. */
  record Running(ProcessHandle process, String readyLine) {}

  private Detached() {}

  /**
   * Starts it and waits for its {@code ready} line.
   *
   * @param data its output goes to {@code data/log/NAME.log}
   * @return the process and its line
   */
  static Running start(Path data, String name, String... arguments) throws InterruptedException {
    Path log = data.resolve("log").resolve(name + ".log");
    Process process = launch(log, arguments);
    long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(START_SECONDS);
    while (System.nanoTime() < end) {
      String ready = readyLine(log);
      if (!ready.isEmpty()) {
        return new Running(process.toHandle(), ready);
      }
      if (process.waitFor(50, TimeUnit.MILLISECONDS)) {
        throw new AlraiException(
            ErrorCode.ALRAI_NODE_UNAVAILABLE, "it did not start: " + tail(log));
      }
    }
    process.destroy();
    throw new AlraiException(
        ErrorCode.ALRAI_NODE_UNAVAILABLE, "it was not ready in time, see " + log);
  }

  private static Process launch(Path log, String... arguments) {
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.addAll(ManagementFactory.getRuntimeMXBean().getInputArguments());
    command.add("-cp");
    command.add(System.getProperty("java.class.path"));
    command.add(Main.class.getName());
    command.addAll(List.of(arguments));
    try {
      Files.createDirectories(log.getParent());
      if (Files.exists(log)) {
        Files.move(
            log, log.resolveSibling(log.getFileName() + ".1"), StandardCopyOption.REPLACE_EXISTING);
      }
      return new ProcessBuilder(command)
          .redirectErrorStream(true)
          .redirectOutput(log.toFile())
          .redirectInput(Path.of("/dev/null").toFile())
          .start();
    } catch (IOException e) {
      throw new AlraiException(
          ErrorCode.ALRAI_NODE_UNAVAILABLE, "cannot start a process: " + e.getMessage(), e);
    }
  }

  private static String readyLine(Path log) {
    return lines(log).stream().filter(line -> line.startsWith("ready ")).findFirst().orElse("");
  }

  private static String tail(Path log) {
    List<String> lines = lines(log);
    return String.join(" | ", lines.subList(Math.max(0, lines.size() - 5), lines.size()));
  }

  private static List<String> lines(Path log) {
    try {
      return Files.exists(log) ? Files.readAllLines(log) : List.of();
    } catch (IOException e) {
      return List.of();
    }
  }
}
