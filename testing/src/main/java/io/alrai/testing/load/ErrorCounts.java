package io.alrai.testing.load;

import java.sql.SQLException;
import java.util.Map;
import java.util.TreeMap;

/** How often which error came, each with the first message. Any thread. */
final class ErrorCounts {
  private record Seen(long count, String message) {}

  private final Map<String, Seen> seen = new TreeMap<>();

  synchronized void add(String where, SQLException error) {
    String name = where + " " + error.getErrorCode() + " (" + error.getSQLState() + ")";
    String message = String.valueOf(error.getMessage()).lines().findFirst().orElse("");
    seen.merge(name, new Seen(1, message), (old, one) -> new Seen(old.count + 1, old.message));
  }

  /** Lines such as {@code 3 x transfer 1213 (40001): Deadlock found ...}. */
  synchronized String text() {
    StringBuilder text = new StringBuilder();
    seen.forEach((name, error) ->
        text.append(error.count)
            .append(" x ")
            .append(name)
            .append(": ")
            .append(error.message)
            .append('\n'));
    return text.toString();
  }

  synchronized long total() {
    return seen.values().stream().mapToLong(Seen::count).sum();
  }
}
