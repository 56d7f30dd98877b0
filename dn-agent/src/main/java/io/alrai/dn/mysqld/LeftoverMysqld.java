package io.alrai.dn.mysqld;

import io.alrai.dn.mysqld.MysqldException.Reason;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Ends servers that an earlier process left running on a data directory, as happens when the
 * watcher was killed before its JVM. They are known by the data directory in their command line; a
 * zombie has none and counts as gone. Only who holds the instance's lock may call this.
 */
final class LeftoverMysqld {
  private static final Logger LOG = LoggerFactory.getLogger(LeftoverMysqld.class);
  private static final Path PROC = Path.of("/proc");
  private static final long POLL_MILLIS = 10;

  private LeftoverMysqld() {}

  /**
   * Kills them (SIGKILL is safe) and waits until they are gone.
   *
   * @return how many there were
   * @throws MysqldException DATA_DIRECTORY_LOCKED when one does not go
   */
  static int end(InstanceFiles files, Duration bound) throws InterruptedException {
    String mark = MysqldOptions.dataDirectory(files);
    long start = System.nanoTime();
    List<ProcessHandle> left = find(mark);
    int count = left.size();
    while (!left.isEmpty()) {
      for (ProcessHandle process : left) {
        LOG.warn("ending process {}, left over on {}", process.pid(), files.data());
        if (!process.destroyForcibly()) {
          LOG.debug("process {} had ended by itself", process.pid());
        }
      }
      Thread.sleep(POLL_MILLIS);
      left = find(mark);
      if (!left.isEmpty() && System.nanoTime() - start > bound.toNanos()) {
        throw new MysqldException(
            Reason.DATA_DIRECTORY_LOCKED,
            "process " + left.getFirst().pid() + " uses " + files.data() + " and cannot be ended");
      }
    }
    return count;
  }

  /** Processes with this argument. */
  static List<ProcessHandle> find(String argument) {
    long own = ProcessHandle.current().pid();
    return ProcessHandle.allProcesses()
        .filter(process -> process.pid() != own && hasArgument(process, argument))
        .toList();
  }

  private static boolean hasArgument(ProcessHandle process, String argument) {
    if (Files.isDirectory(PROC.resolve("self"))) {
      return commandLine(process.pid())
          .map(line -> Arrays.asList(line.split("\0", -1)).contains(argument))
          .orElse(false);
    }
    return process.info().commandLine().filter(line -> line.contains(argument)).isPresent();
  }

  private static Optional<String> commandLine(long pid) {
    try {
      Path file = PROC.resolve(Long.toString(pid)).resolve("cmdline");
      return Optional.of(new String(Files.readAllBytes(file), StandardCharsets.UTF_8));
    } catch (IOException e) {
      return Optional.empty(); // it ended, or is another user's
    }
  }
}
