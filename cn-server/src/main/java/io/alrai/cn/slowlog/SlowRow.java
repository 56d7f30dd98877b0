package io.alrai.cn.slowlog;

/**
 * A row of mysql.slow_log.
 *
 * @param text as it may be shown
 */
public record SlowRow(SlowStatement statement, String text) {
  /** When it began, in microseconds since 1970. */
  public long startMicros() {
    return statement.startMicros();
  }

  /** As MySQL has it. */
  public String userAtHost() {
    return statement.client().userAtHost();
  }

  /** How long it took, in microseconds. */
  public long micros() {
    return statement.nanos() / 1000;
  }

  /** How many rows its client got. */
  public long sent() {
    return statement.figures().sent();
  }

  /** The current schema. */
  public String schema() {
    return statement.schema();
  }

  /** The session's LAST_INSERT_ID(). */
  public long lastInsertId() {
    return statement.figures().lastInsertId();
  }

  /** The session's id. */
  public long threadId() {
    return Integer.toUnsignedLong(statement.client().id());
  }
}
