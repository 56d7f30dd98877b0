package io.alrai.common.process;

import java.util.List;

/** How children of this process begin: without what its keeper has said to it alone. */
public final class ChildProcess {
  /**
   * Variables of systemd(1) and sd_notify(3), sd_watchdog_enabled(3), sd_listen_fds(3). A mysqld
   * would say by them that it is ready, as if it were the unit's.
   */
  private static final List<String> FOR_THE_PARENT =
      List.of(
          "NOTIFY_SOCKET",
          "WATCHDOG_PID",
          "WATCHDOG_USEC",
          "LISTEN_PID",
          "LISTEN_FDS",
          "LISTEN_FDNAMES");

  private ChildProcess() {}

  /** A command with the environment of this process, but for that. */
  public static ProcessBuilder of(List<String> command) {
    ProcessBuilder builder = new ProcessBuilder(command);
    FOR_THE_PARENT.forEach(builder.environment()::remove);
    return builder;
  }
}
