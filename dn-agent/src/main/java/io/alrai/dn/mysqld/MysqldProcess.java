package io.alrai.dn.mysqld;

import io.alrai.common.process.ChildProcess;
import io.alrai.dn.mysqld.MysqldException.Reason;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One run of a mysqld, which never outlives this process:
 *
 * <pre>
 *   this JVM ---- stdin (a pipe) ----&gt; watcher (sh): reads; at the pipe's end kill -9 mysqld
 *      |                                  | child of
 *      +--- child, exec'ed by sh ----&gt; mysqld (own session: a terminal's ^C does not reach it)
 * </pre>
 *
 * The kernel closes the pipe however this process ends, kill -9 included. The server is our direct
 * child, so its exit code is ours to read. SIGKILL is safe: InnoDB recovers.
 *
 * <p>Signals go through {@link Process#toHandle}: {@link Process#destroy} closes the pipe besides,
 * which the watcher would take for our death.
 */
final class MysqldProcess {
  private static final Logger LOG = LoggerFactory.getLogger(MysqldProcess.class);

  /** The code with which a server asks to be started again: RESTART and CLONE. */
  static final int EXIT_TO_RESTART = 16;

  private static final long LONGEST_LOG = 16L << 20;
  private static final long POLL_MILLIS = 4;
  private static final long GREETING_MILLIS = 200;
  private static final long REPORT_NANOS = TimeUnit.SECONDS.toNanos(5);

  /** InnoDB itself would try again for 100 s before it gives up. */
  private static final String LOCKED = "Unable to lock ./";

  /**
   * $$ is the number of the shell that becomes mysqld. The watcher kills only while that is still
   * its parent (4th field of its stat file), so that never a later process of the same number is
   * hit; where there is no /proc, the kill is sent in any case.
   */
  private static final String SCRIPT =
      """
      exec 3<&0 </dev/null
      (
        trap '' HUP INT QUIT TERM
        cd /
        read -r line <&3
        if read -r pid name state parent rest </proc/self/stat && [ "$parent" != "$$" ]; then
          exit 0
        fi
        kill -9 $$
      ) >/dev/null 2>&1 &
      exec 3<&-
      exec "$@"
      """;

  private final MysqldInstance instance;
  private final Process process;
  private final long logStart;

  private MysqldProcess(MysqldInstance instance, Process process, long logStart) {
    this.instance = instance;
    this.process = process;
    this.logStart = logStart;
  }

  /** Starts the server; it is not ready yet. */
  static MysqldProcess launch(MysqldInstance instance) {
    InstanceFiles files = instance.files();
    instance.prepareLaunch();
    rotate(files.errorLog());
    long logStart = ErrorLogTail.length(files.errorLog());
    ProcessBuilder builder =
        ChildProcess.of(command(instance))
            .directory(files.directory().toFile())
            .redirectErrorStream(true)
            .redirectOutput(ProcessBuilder.Redirect.appendTo(files.errorLog().toFile()));
    builder.environment().keySet().removeIf(name -> name.startsWith("MYSQL"));
    builder.environment().put("MYSQLD_PARENT_PID", Long.toString(ProcessHandle.current().pid()));
    try {
      return new MysqldProcess(instance, builder.start(), logStart);
    } catch (IOException e) {
      throw new MysqldException(
          Reason.START_FAILED,
          "cannot run " + instance.installation().mysqld() + ": " + e.getMessage(),
          e);
    }
  }

  private static List<String> command(MysqldInstance instance) {
    List<String> command = new ArrayList<>();
    for (String setsid : List.of("/usr/bin/setsid", "/bin/setsid")) {
      if (command.isEmpty() && Files.isExecutable(Path.of(setsid))) {
        command.add(setsid);
      }
    }
    command.addAll(List.of("/bin/sh", "-c", SCRIPT, "alrai-mysqld"));
    command.addAll(instance.installation().serverCommand());
    command.addAll(MysqldOptions.render(instance.config(), instance.files()));
    return command;
  }

  private static void rotate(Path log) {
    if (ErrorLogTail.length(log) < LONGEST_LOG) {
      return;
    }
    try {
      Path older = log.resolveSibling(log.getFileName() + ".1");
      Files.move(log, older, StandardCopyOption.REPLACE_EXISTING);
    } catch (IOException e) {
      throw FileTrees.failure("rotate", log, e);
    }
  }

  /**
   * Waits until the server answers on its socket.
   *
   * @param cancelled checked a few times a second; when true this returns false
   * @throws MysqldException why it ended instead, or TIMEOUT; it is dead or dying then
   */
  boolean awaitReady(Duration bound, BooleanSupplier cancelled) throws InterruptedException {
    long start = System.nanoTime();
    long nextReport = start + REPORT_NANOS;
    while (!MysqldProbe.answers(instance.socketPath(), GREETING_MILLIS)) {
      if (process.waitFor(POLL_MILLIS, TimeUnit.MILLISECONDS)) {
        throw StartFailure.of("MySQL server in " + instance.files().directory(), logOfThisRun());
      }
      if (cancelled.getAsBoolean()) {
        return false;
      }
      long now = System.nanoTime();
      if (now - nextReport > 0) {
        nextReport = now + REPORT_NANOS;
        reportOrGiveUp();
      }
      if (now - start > bound.toNanos()) {
        kill();
        throw new MysqldException(
            Reason.TIMEOUT,
            instance + " did not answer within " + bound.toSeconds() + " s; " + lastLogLine());
      }
    }
    return true;
  }

  private void reportOrGiveUp() {
    if (logOfThisRun().contains(LOCKED)) {
      kill();
      throw StartFailure.of("MySQL server in " + instance.files().directory(), logOfThisRun());
    }
    LOG.info("{} is still starting: {}", instance, lastLogLine());
  }

  /** What it wrote to its error log since it was launched, the end of it. */
  String logOfThisRun() {
    return ErrorLogTail.read(instance.errorLog(), logStart);
  }

  private String lastLogLine() {
    String log = logOfThisRun();
    return log.substring(log.lastIndexOf('\n') + 1);
  }

  /** Asks it to shut down in order (SIGTERM). */
  void terminate() {
    if (!process.toHandle().destroy()) {
      LOG.debug("{} had ended before SIGTERM", instance);
    }
  }

  /** Ends it at once (SIGKILL). */
  void kill() {
    if (!process.toHandle().destroyForcibly()) {
      LOG.debug("{} had ended before SIGKILL", instance);
    }
  }

  /** Whether it ended within the bound. */
  boolean awaitExit(Duration bound) throws InterruptedException {
    return process.waitFor(bound.toMillis(), TimeUnit.MILLISECONDS);
  }

  /** Completes, on a thread of the JVM's, when it ended. */
  CompletableFuture<Process> exit() {
    return process.onExit();
  }

  boolean isAlive() {
    return process.isAlive();
  }

  /** Only after it ended; 128 and the signal's number when a signal ended it. */
  int exitCode() {
    return process.exitValue();
  }

  long pid() {
    return process.pid();
  }
}
