package io.alrai.cn.protocol;

import java.util.LinkedHashMap;
import java.util.Map;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * How long a login waits for its answer after wrong passwords in a row for the same user from the
 * same address, right or wrong: as MySQL's component connection_control, with its threshold and
 * step, but never for longer than a login may take. So who tries passwords learns little from many
 * tries, whether there is such a user or not. A client that is asked for the password and leaves
 * counts as having given a wrong one, because the question has shown that its proof was wrong. Each
 * CN counts for itself. Thread-safe.
 */
final class LoginDelays {
  /** How many wrong passwords have no delay. */
  static final int FREE = 3;

  private static final long STEP_MILLIS = 1000;
  private static final long MOST_MILLIS = 8000;

  /** After so long without another try all is forgiven. */
  private static final long FORGET_MILLIS = 900_000;

  /**
   * The most users and addresses that are remembered; those that were seen least recently are
   * forgotten.
   */
  private static final int MOST_KNOWN = 10_000;

  private static final int LONGEST_NAME = 64;
  private static final Logger log = LoggerFactory.getLogger(LoginDelays.class);

  private final Map<String, Tries> tries =
      new LinkedHashMap<>(16, 0.75f, true) {
        private static final long serialVersionUID = 1;

        @Override
        protected boolean removeEldestEntry(Map.Entry<String, Tries> eldest) {
          return size() > MOST_KNOWN;
        }
      };

  private record Tries(int wrong, long lastMillis) {}

  /** Milliseconds for which a client has to wait for the answer to its proof or password. */
  synchronized long millis(String user, String host, long nowMillis) {
    int wrong = wrong(key(user, host), nowMillis);
    return wrong < FREE ? 0 : Math.min((wrong - FREE + 1) * STEP_MILLIS, MOST_MILLIS);
  }

  /** A login's password was looked at. */
  synchronized void tried(String user, String host, boolean right, long nowMillis) {
    String key = key(user, host);
    int wrong = wrong(key, nowMillis);
    if (right) {
      tries.remove(key);
    } else {
      tries.put(key, new Tries(Math.min(wrong, 1_000_000) + 1, nowMillis));
      if (wrong + 1 == FREE) {
        log.warn("{} wrong passwords in a row for {}: the next answers are delayed", FREE, key);
      }
    }
  }

  private int wrong(String key, long nowMillis) {
    Tries before = tries.get(key);
    return before == null || nowMillis - before.lastMillis > FORGET_MILLIS ? 0 : before.wrong;
  }

  /** Short, and fit for a line of the log. */
  private static String key(String user, String host) {
    String name = user.length() > LONGEST_NAME ? user.substring(0, LONGEST_NAME) : user;
    StringBuilder key = new StringBuilder("'");
    name.chars().forEach(c -> key.append(Character.isISOControl(c) ? '?' : (char) c));
    return key.append("'@'").append(host).append('\'').toString();
  }
}
