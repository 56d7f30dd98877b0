package io.alrai.cn.console;

import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Ends processes: in order, and with force those that do not end so. */
final class OrderedStop {
  private static final Logger log = LoggerFactory.getLogger(OrderedStop.class);
  private static final long STOP_SECONDS = 90;
  private static final long KILL_SECONDS = 10;
  private static final long LOOK_MILLIS = 50;

  private OrderedStop() {}

  /** SIGTERM, after 90 s SIGKILL, which loses nothing; returns when it is gone. */
  static void of(String name, ProcessHandle process) {
    process.destroy();
    if (!awaitEnd(process, STOP_SECONDS)) {
      log.warn("{} does not stop and is killed: process {}", name, process.pid());
      process.destroyForcibly();
      awaitEnd(process, KILL_SECONDS);
    }
  }

  /** What nobody has reaped never exits as far as onExit() can tell: so it is looked at as well. */
  private static boolean awaitEnd(ProcessHandle process, long seconds) {
    long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(seconds);
    while (RunDirectory.runs(process)) {
      if (System.nanoTime() - end > 0) {
        return false;
      }
      process.onExit().completeOnTimeout(process, LOOK_MILLIS, TimeUnit.MILLISECONDS).join();
    }
    return true;
  }
}
