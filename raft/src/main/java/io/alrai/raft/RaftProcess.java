package io.alrai.raft;

import org.apache.ratis.util.ExitUtils;

/** The process that Ratis runs in, which is not its own. */
public final class RaftProcess {
  private RaftProcess() {}

  /**
   * Takes from Ratis the right to end the process, which it takes for granted: it must neither call
   * System.exit nor own the handler of other threads' uncaught exceptions.
   */
  public static void keepAlive() {
    Thread.UncaughtExceptionHandler before = Thread.getDefaultUncaughtExceptionHandler();
    ExitUtils.setTerminateOnUncaughtException(false);
    ExitUtils.disableSystemExit();
    Thread.setDefaultUncaughtExceptionHandler(before);
  }
}
