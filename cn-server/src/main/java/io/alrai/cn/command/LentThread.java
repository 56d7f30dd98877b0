package io.alrai.cn.command;

import java.util.Arrays;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** The virtual thread that a session is lent to for one command, if there is one. Thread-safe. */
final class LentThread {
  private static final int FRAMES = 12;

  private volatile @Nullable Thread thread;

  /**
   * Lends the session; not while it is lent.
   *
   * @param over runs on the thread when the work has ended
   */
  void start(String name, Runnable work, Runnable over) {
    Thread lent =
        Thread.ofVirtual()
            .name(name)
            .unstarted(() -> {
              try {
                work.run();
              } finally {
                thread = null;
                over.run();
              }
            });
    // before it starts: it may end at once
    thread = lent;
    lent.start();
  }

  /**
   * Interrupts the work's waits.
   *
   * @return whether there is any work
   */
  boolean interrupt() {
    Thread working = thread;
    if (working != null) {
      working.interrupt();
    }
    return working != null;
  }

  /** Whether there is work. */
  boolean isAtWork() {
    return thread != null;
  }

  /** Where it is, for the log; empty for nowhere. */
  String where() {
    Thread working = thread;
    return working == null
        ? ""
        : Arrays.stream(working.getStackTrace())
            .limit(FRAMES)
            .map(StackTraceElement::toString)
            .collect(Collectors.joining("\n  at ", "\n  at ", ""));
  }
}
