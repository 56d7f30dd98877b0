package io.alrai.cn.session;

import io.alrai.cn.settings.Idleness;
import io.alrai.optimizer.api.inspect.HiddenSecrets;
import io.alrai.optimizer.api.text.LexicalMode;
import java.nio.charset.StandardCharsets;

/**
 * What SHOW PROCESSLIST tells of a session. Written by the session's owner; any thread may read.
 *
 * @param statement at work, or its first {@value #MOST_BYTES} bytes, without passwords; empty for
 *     none
 * @param state {@code Sleep} or {@code Query}
 * @param waitsFor what it waits for, in MySQL's words, where the CN makes it wait; else empty
 * @param sinceMillis milliseconds since 1970
 */
public record Activity(String statement, String state, String waitsFor, long sinceMillis) {
  /** How many bytes of a statement are shown. */
  public static final int MOST_BYTES = 65_535;

  private static final String SLEEP = "Sleep";

  /**
   * A statement is at work.
   *
   * @param mode in which the session reads it
   */
  public static Activity query(byte[] sql, LexicalMode mode, long nowMillis) {
    int shown = Math.min(sql.length, MOST_BYTES);
    String text = new String(sql, 0, shown, StandardCharsets.UTF_8);
    return new Activity(HiddenSecrets.in(text, mode), "Query", "", nowMillis);
  }

  /** Nothing is. */
  public static Activity none(long nowMillis) {
    return new Activity("", SLEEP, "", nowMillis);
  }

  /** Whether nothing is, as far as it was noted. */
  public boolean isNone() {
    return state.equals(SLEEP);
  }

  /** A copy that waits; a statement that was too short to be noted is at work now. */
  public Activity waiting(String what, long nowMillis) {
    return state.equals(SLEEP)
        ? new Activity("", "Query", what, nowMillis)
        : new Activity(statement, state, what, sinceMillis);
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
