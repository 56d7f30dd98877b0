package io.alrai.cn.limit;

import java.util.concurrent.TimeUnit;

/**
 * What an account has had at one CN in an hour.
 *
 * @param startMillis when the hour began, since 1970; 0 where nothing was counted
 */
record HourCounts(long startMillis, long queries, long updates, long logins) {
  private static final long HOUR_MILLIS = TimeUnit.HOURS.toMillis(1);

  static final HourCounts NONE = new HourCounts(0, 0, 0, 0);

  /** Nothing, where the hour has ended. */
  HourCounts at(long nowMillis) {
    return startMillis != 0 && nowMillis - startMillis >= HOUR_MILLIS ? NONE : this;
  }

  /** One more of what is 1. */
  HourCounts plus(long nowMillis, int query, int update, int login) {
    return new HourCounts(
        startMillis == 0 ? nowMillis : startMillis,
        queries + query,
        updates + update,
        logins + login);
  }

  /** With the same counts, in an hour that began at another CN, if that was earlier. */
  HourCounts in(HourCounts other) {
    boolean earlier =
        other.startMillis != 0 && (startMillis == 0 || other.startMillis < startMillis);
    return earlier ? new HourCounts(other.startMillis, queries, updates, logins) : this;
  }
}
