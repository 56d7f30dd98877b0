package io.alrai.cn.process;

import com.sun.management.UnixOperatingSystemMXBean;
import java.lang.management.ManagementFactory;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * How many clients a process can take: each needs a file descriptor. The JVM has raised the soft
 * limit to the hard one by itself.
 */
final class OpenFiles {
  private static final Logger log = LoggerFactory.getLogger(OpenFiles.class);

  /** For all that are no clients: jars, logs, backend connections. */
  private static final long RESERVED = 512;

  private static final long FEWEST_CLIENTS = 16;
  private static final long PLENTY = 4_096;

  private OpenFiles() {}

  /** The most clients of this process; says so in the log when there are few. */
  static int mostClients() {
    long files =
        ManagementFactory.getOperatingSystemMXBean() instanceof UnixOperatingSystemMXBean unix
            ? unix.getMaxFileDescriptorCount()
            : Integer.MAX_VALUE;
    int most = mostClients(files);
    if (files < PLENTY) {
      log.warn(
          "this process may open {} files only, so that it serves at most {} clients:"
              + " raise the hard limit (ulimit -Hn) for more",
          files,
          most);
    }
    return most;
  }

  static int mostClients(long files) {
    return (int) Math.clamp(files - RESERVED, FEWEST_CLIENTS, Integer.MAX_VALUE);
  }
}
