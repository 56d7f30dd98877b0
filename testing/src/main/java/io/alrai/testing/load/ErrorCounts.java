package io.alrai.testing.load;

import java.sql.SQLException;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Predicate;

/** How often which error came, each with the first message. Any thread. */
final class ErrorCounts {
  private record Seen(long count, int errno, String message) {}

  private static final int DEADLOCK = 1213;
  private static final int LOCK_WAIT_TIMEOUT = 1205;

  private final Map<String, Seen> seen = new TreeMap<>();

  synchronized void add(String where, SQLException error) {
    String name = where + " " + error.getErrorCode() + " (" + error.getSQLState() + ")";
    String message = String.valueOf(error.getMessage()).lines().findFirst().orElse("");
    seen.merge(
        name,
        new Seen(1, error.getErrorCode(), message),
        (old, one) -> new Seen(old.count + 1, old.errno, old.message));
  }

  /** Lines such as {@code 3 x transfer 1213 (40001): Deadlock found ...}. */
  String text() {
    return text(error -> true);
  }

  /**
   * The text without what a client may meet at any time, a deadlock or a wait that took too long.
   */
  String textOfOthers() {
    return text(error -> error.errno != DEADLOCK && error.errno != LOCK_WAIT_TIMEOUT);
  }

  private synchronized String text(Predicate<Seen> told) {
    StringBuilder text = new StringBuilder();
    seen.forEach((name, error) -> {
      if (told.test(error)) {
        text.append(error.count)
            .append(" x ")
            .append(name)
            .append(": ")
            .append(error.message)
            .append('\n');
      }
    });
    return text.toString();
  }

  synchronized long total() {
    return seen.values().stream().mapToLong(Seen::count).sum();
  }
}
