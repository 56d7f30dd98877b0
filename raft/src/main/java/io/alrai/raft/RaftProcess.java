package io.alrai.raft;

import org.apache.ratis.util.ExitUtils;

/** The process that Ratis runs in, which is not its own. */
public final class RaftProcess {
  /**
   * After how long a leader sends to a member again that did not answer: 1 ms ten times, then every
   * 100 ms. By default Ratis comes to wait 5 s, longer than that member waits for its leader.
   */
  public static final String APPENDER_RETRIES = "1ms,10, 100ms,1000000000";

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
