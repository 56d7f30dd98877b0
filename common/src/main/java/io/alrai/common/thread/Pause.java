package io.alrai.common.thread;

import io.alrai.common.error.AlraiException;

/** Time that passes between two looks. Any thread that may block. */
public final class Pause {
  private Pause() {}

  /**
   * Sleeps.
   *
   * @throws AlraiException ER_QUERY_INTERRUPTED; the thread stays interrupted
   */
  public static void ofMillis(long millis) {
    try {
      Thread.sleep(millis);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw AlraiException.interruption(e);
    }
  }
}
