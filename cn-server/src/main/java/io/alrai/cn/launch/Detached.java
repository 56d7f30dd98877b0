package io.alrai.cn.launch;

import io.alrai.common.error.AlraiException;
import io.alrai.common.error.ErrorCode;
import io.alrai.common.file.FileErrors;
import io.alrai.common.process.ChildProcess;
import io.alrai.common.secret.PrivateFiles;
import java.io.BufferedReader;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.BiFunction;

/**
 * A command of this launcher in a process of its own that outlives this one. Its standard output is
 * a pipe on which it says that it is ready; all else goes to its log.
 */
public final class Detached {
  /** The class of the commands, as the launcher starts it. */
  static final String PROGRAM = "io.alrai.cn.console.Main";

  private static final long START_SECONDS = 600;
  private static final String READY = "ready ";
  private static final String REASON = "alrai: ";
  private static final int TAIL_LINES = 5;

  /** Logs of earlier starts. */
  private static final int KEPT = 5;

  private final Process process;
  private final Path log;
  private final CompletableFuture<String> ready = new CompletableFuture<>();

  /**
   * A process that was started.
   *
   * @param log where its standard error goes
   */
  Detached(Process process, Path log) {
    this.process = process;
    this.log = log;
    // A virtual thread would keep its carrier while it reads a pipe. The JDK makes up for that with
    // threads which it ends when they are idle for 30 s, so that in the end no virtual thread runs.
    Thread.ofPlatform().daemon().name("output-" + process.pid()).start(this::listen);
  }

  /**
   * Starts it.
   *
   * @param data its output goes to {@code data/log/NAME.log}
   */
  public static Detached launch(Path data, String name, List<String> arguments) {
    return launch(data, name, arguments, true, ClassCache::fitting);
  }

  /**
   * As {@link #launch}, for a JVM that has a role of its own.
   *
   * @param keepsLog whether the log of its last start is kept
   */
  static Detached launchRole(Path data, String name, List<String> arguments, boolean keepsLog) {
    String role = arguments.getFirst();
    return launch(
        data,
        name,
        arguments,
        keepsLog,
        (options, classPath) -> RoleOptions.of(options, classPath, role));
  }

  private static Detached launch(
      Path data,
      String name,
      List<String> arguments,
      boolean keepsLog,
      BiFunction<List<String>, String, List<String>> options) {
    Path log = data.resolve("log").resolve(name + ".log");
    String classPath = System.getProperty("java.class.path");
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.addAll(
        options.apply(ManagementFactory.getRuntimeMXBean().getInputArguments(), classPath));
    command.add("-XX:+DisplayVMOutputToStderr");
    command.add("-cp");
    command.add(classPath);
    command.add(PROGRAM);
    command.addAll(arguments);
    try {
      PrivateFiles.directory(data.resolve("log"));
      if (keepsLog) {
        keepOlder(log);
      }
      return new Detached(
          ChildProcess.of(command)
              .redirectError(log.toFile())
              .redirectInput(Path.of("/dev/null").toFile())
              .start(),
          log);
    } catch (IOException e) {
      throw new AlraiException(
          ErrorCode.ALRAI_NODE_UNAVAILABLE, "cannot start a process: " + FileErrors.text(e), e);
    }
  }

  /** Why a process ended is in its log, and is asked for after some more starts, too. */
  static void keepOlder(Path log) throws IOException {
    for (int number = KEPT - 1; number >= 0; number--) {
      Path from = number == 0 ? log : older(log, number);
      if (Files.exists(from)) {
        Files.move(from, older(log, number + 1), StandardCopyOption.REPLACE_EXISTING);
      }
    }
  }

  private static Path older(Path log, int number) {
    return log.resolveSibling(log.getFileName() + "." + number);
  }

  /** Reads all that it prints, for as long as it runs. */
  private void listen() {
    try (BufferedReader output = process.inputReader()) {
      String line;
      while ((line = output.readLine()) != null) {
        if (line.startsWith(READY)) {
          ready.complete(line);
        }
      }
      ready.completeExceptionally(new IOException("it ended"));
    } catch (IOException e) {
      ready.completeExceptionally(e);
    }
  }

  /** The process. */
  ProcessHandle process() {
    return process.toHandle();
  }

  /**
   * Waits until it serves.
   *
   * @return its {@code ready} line
   * @throws AlraiException why it does not; it is gone or going then
   */
  public String awaitReady() throws InterruptedException {
    try {
      return ready.get(START_SECONDS, TimeUnit.SECONDS);
    } catch (ExecutionException e) {
      throw new AlraiException(
          ErrorCode.ALRAI_NODE_UNAVAILABLE, "it did not start: " + reason(), e);
    } catch (TimeoutException e) {
      process.destroy();
      throw new AlraiException(
          ErrorCode.ALRAI_NODE_UNAVAILABLE, "it was not ready in time, see " + log, e);
    }
  }

  /** The sentence that it ended with, else the last lines of its log. */
  private String reason() {
    List<String> lines;
    try {
      lines = Files.readAllLines(log);
    } catch (IOException e) {
      return "see " + log;
    }
    return lines.reversed().stream()
        .filter(line -> line.startsWith(REASON))
        .findFirst()
        .map(line -> line.substring(REASON.length()))
        .orElseGet(() ->
            String.join(" | ", lines.subList(Math.max(0, lines.size() - TAIL_LINES), lines.size()))
                + " ("
                + log
                + ")");
  }
}
