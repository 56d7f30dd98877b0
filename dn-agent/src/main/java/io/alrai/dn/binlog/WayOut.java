package io.alrai.dn.binlog;

import java.time.Duration;

/**
 * What is done about a mysqld that runs and lets no stream in, so that all its commits wait.
 *
 * @param login for one attempt, from its login to the first event
 * @param bound without a stream; then the mysqld is killed
 * @param kill SIGKILL of the mysqld, which is started again: what it acknowledged to nobody is cut
 *     off. Called on the stream's loop
 */
public record WayOut(Duration login, Duration bound, Runnable kill) {
  /** 10 s for an attempt, 30 s in all. */
  public static WayOut standard(Runnable kill) {
    return new WayOut(Duration.ofSeconds(10), Duration.ofSeconds(30), kill);
  }
}
