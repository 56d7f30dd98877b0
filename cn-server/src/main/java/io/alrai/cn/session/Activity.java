package io.alrai.cn.session;

/**
 * What SHOW PROCESSLIST tells of a session. Written by the session's owner; any thread may read.
 *
 * @param statement at work, or its first {@value #MOST_BYTES} bytes; empty for none
 * @param state {@code Sleep} or {@code Query}
 * @param sinceMillis milliseconds since 1970
 */
public record Activity(String statement, String state, long sinceMillis) {
  /** So much of a statement is shown. */
  public static final int MOST_BYTES = 65_535;

  private static final String SLEEP = "Sleep";

  /** A statement is at work. */
  public static Activity query(String statement, long nowMillis) {
    return new Activity(statement, "Query", nowMillis);
  }

  /** Nothing is. */
  public static Activity none(long nowMillis) {
    return new Activity("", SLEEP, nowMillis);
  }

  /**
   * For how many seconds.
   *
   * @param idleness also of statements that are too short to be noted here
   */
  public long seconds(long nowMillis, Idleness idleness) {
    long seconds = Math.max(0, nowMillis - sinceMillis) / 1000;
    return state.equals(SLEEP) ? Math.min(seconds, idleness.seconds()) : seconds;
  }
}
