package io.alrai.cn.slowlog;

import io.alrai.optimizer.api.text.Identifier;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.Locale;
import java.util.regex.Pattern;

/**
 * Entries as a mysqld writes them, which mysqldumpslow and pt-query-digest read; what MySQL adds
 * with log_slow_extra, and what only Alrai knows, stands at the end of the line of times. Pure.
 *
 * <pre>
 * # Time: 2026-11-29T10:22:22.123456Z
 * # User@Host: app[app] @  [10.0.0.7]  Id:   123
 * # Query_time: 1.000112  Lock_time: 0.000000 Rows_sent: 1  Rows_examined: 0 Thread_id: 123 ..
 * use shop;
 * SET timestamp=1795947742;
 * SELECT ..;
 * </pre>
 *
 * <p>No client can write an entry of its own: control characters of names are blanks, a line of a
 * statement that would begin with {@code #} begins with a blank, and NUL is {@code \0}.
 */
final class SlowLogFormat {
  private static final DateTimeFormatter TIME =
      DateTimeFormatter.ofPattern("yyyy-MM-dd'T'HH:mm:ss.SSSSSS'Z'", Locale.ROOT)
          .withZone(ZoneOffset.UTC);
  private static final Pattern PLAIN = Pattern.compile("[0-9A-Za-z_$]+");
  private static final Pattern CONTROL = Pattern.compile("\\p{Cntrl}");
  private static final Pattern COMMENT = Pattern.compile("([\\r\\n])(?=#)");

  private SlowLogFormat() {}

  /** How a file begins. */
  static String header(String version) {
    return "/alrai, Version: "
        + line(version)
        + ". started with:\nTcp port: 0  Unix socket: (null)\n"
        + "Time                 Id Command    Argument\n";
  }

  /** An entry, with its text as it may be shown. */
  static String entry(SlowStatement statement, String text) {
    SlowStatement.Client client = statement.client();
    SlowFigures figures = statement.figures();
    String start = time(statement.startMicros());
    String end = time(statement.endMicros());
    return "# Time: "
        + end
        + "\n# User@Host: "
        + line(client.userAtHost())
        + String.format(Locale.ROOT, "  Id: %5d\n", Integer.toUnsignedLong(client.id()))
        + String.format(
            Locale.ROOT,
            "# Query_time: %.6f  Lock_time: 0.000000 Rows_sent: %d  Rows_examined: 0"
                + " Thread_id: %d Errno: %d Rows_affected: %d Warnings: %d Alrai_path: %s"
                + " Start: %s End: %s\n",
            statement.nanos() / 1e9,
            figures.sent(),
            Integer.toUnsignedLong(client.id()),
            figures.errno(),
            figures.affected(),
            figures.warnings(),
            statement.path().name().toLowerCase(Locale.ROOT),
            start,
            end)
        + use(statement.schema())
        + "SET timestamp="
        + Math.floorDiv(statement.startMicros(), 1_000_000)
        + ";\n"
        + body(text)
        + ";\n";
  }

  private static String time(long micros) {
    return TIME.format(
        Instant.ofEpochSecond(
            Math.floorDiv(micros, 1_000_000), Math.floorMod(micros, 1_000_000) * 1000L));
  }

  private static String use(String schema) {
    if (schema.isEmpty()) {
      return "";
    }
    String name = PLAIN.matcher(schema).matches() ? schema : Identifier.quote(line(schema));
    return "use " + name + ";\n";
  }

  private static String body(String text) {
    String stripped = text.replace("\0", "\\0");
    String begun = stripped.startsWith("#") ? " " + stripped : stripped;
    return COMMENT.matcher(begun).replaceAll("$1 ");
  }

  /** What cannot end its line. */
  static String line(String name) {
    return CONTROL.matcher(name).replaceAll(" ");
  }
}
