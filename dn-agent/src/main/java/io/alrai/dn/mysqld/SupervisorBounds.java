package io.alrai.dn.mysqld;

import java.time.Duration;

/**
 * Times of a supervisor.
 *
 * @param start for a server to answer after its launch; crash recovery may take minutes
 * @param stop for an ordered stop, before SIGKILL
 * @param drain for the attendant before that
 * @param probeEvery between two looks at a running server
 * @param hungAfter without any answer a running server is killed and started again
 */
public record SupervisorBounds(
    Duration start, Duration stop, Duration drain, Duration probeEvery, Duration hungAfter) {

  /** 10 minutes, 30 s, 5 s, 2 s, 60 s. */
  public static SupervisorBounds standard() {
    return new SupervisorBounds(
        Duration.ofMinutes(10),
        Duration.ofSeconds(30),
        Duration.ofSeconds(5),
        Duration.ofSeconds(2),
        Duration.ofSeconds(60));
  }
}
