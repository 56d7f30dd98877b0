package io.alrai.cn.ddl.job;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * What SHOW CREATE TABLE gives, taken apart. The mysqld writes one column, key or constraint a
 * line, with all names in backquotes; line breaks inside strings are escaped, those inside names
 * are not.
 *
 * <pre>
 * CREATE TABLE `t` (
 *   `a` int NOT NULL,
 *   KEY `k` (`a`),
 *   CONSTRAINT `f` FOREIGN KEY (`a`) REFERENCES `p` (`b`)
 * ) ENGINE=InnoDB AUTO_INCREMENT=7 DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_0900_ai_ci
 * </pre>
 *
 * @param columns by name, in order: the line without the name's end, the comma and the indent
 * @param keys by name; the primary key's is {@link #PRIMARY}
 * @param constraints foreign keys and checks by name
 * @param options the lines from the last parenthesis on, which have a mysqld's own partitions too,
 *     without AUTO_INCREMENT
 * @param nextAutoIncrement the AUTO_INCREMENT option; 1 where there is none
 */
public record TableText(
    Map<String, String> columns,
    Map<String, String> keys,
    Map<String, String> constraints,
    String options,
    long nextAutoIncrement) {
  /** The primary key's name. */
  public static final String PRIMARY = "PRIMARY";

  private static final Pattern NAME = Pattern.compile("`((?:[^`]|``)+)`");
  private static final String NAMES = "\\(((?:`(?:[^`]|``)+`(?:, )?)+)\\)";
  private static final Pattern KEY =
      Pattern.compile("^(?:UNIQUE |FULLTEXT |SPATIAL )?KEY " + NAME + ".*", Pattern.DOTALL);
  private static final Pattern CONSTRAINT =
      Pattern.compile("^CONSTRAINT " + NAME + " (.*)$", Pattern.DOTALL);
  private static final Pattern AUTO_INCREMENT = Pattern.compile(" AUTO_INCREMENT=(\\d+)");
  private static final Pattern FOREIGN_KEY =
      Pattern.compile(
          "^FOREIGN KEY "
              + NAMES
              + " REFERENCES (`(?:[^`]|``)+`(?:\\.`(?:[^`]|``)+`)?) "
              + NAMES
              + "(?: ON .*)?$");

  /**
   * A foreign key.
   *
   * @param parentSchema present where the text names one, thus another than the table's
   */
  public record ForeignKey(
      String name,
      List<String> columns,
      Optional<String> parentSchema,
      String parent,
      List<String> parentColumns) {}

  /** Takes the text apart. */
  public static TableText of(String text) {
    Map<String, String> columns = new LinkedHashMap<>();
    Map<String, String> keys = new LinkedHashMap<>();
    Map<String, String> constraints = new LinkedHashMap<>();
    List<String> lines = lines(text);
    int at = 1;
    while (at < lines.size() && lines.get(at).startsWith("  ")) {
      put(lines.get(at).strip(), columns, keys, constraints);
      at++;
    }
    List<String> last = lines.subList(Math.min(at, lines.size()), lines.size());
    String options = last.isEmpty() ? "" : String.join("\n", last).substring(1).strip();
    // the AUTO_INCREMENT option comes before any that holds a string
    Matcher next = AUTO_INCREMENT.matcher(options);
    boolean found = next.find() && !options.substring(0, next.start()).contains("'");
    long value = found ? Long.parseUnsignedLong(next.group(1)) : 1;
    String rest =
        found ? options.substring(0, next.start()) + options.substring(next.end()) : options;
    return new TableText(columns, keys, constraints, rest, value);
  }

  /** The lines; a line break in a name ends none. */
  public static List<String> lines(String text) {
    List<String> lines = new ArrayList<>();
    int from = 0;
    char quote = 0;
    for (int at = 0; at < text.length(); at++) {
      char c = text.charAt(at);
      if (c == '\n' && quote == 0) {
        lines.add(text.substring(from, at));
        from = at + 1;
      } else if (quote == '\'' && c == '\\') {
        at++;
      } else if (c == quote) {
        quote = 0;
      } else if (quote == 0 && (c == '`' || c == '\'')) {
        quote = c;
      }
    }
    if (from < text.length()) {
      lines.add(text.substring(from));
    }
    return lines;
  }

  private static void put(
      String line,
      Map<String, String> columns,
      Map<String, String> keys,
      Map<String, String> constraints) {
    String part = line.endsWith(",") ? line.substring(0, line.length() - 1) : line;
    if (part.startsWith("`")) {
      Matcher name = NAME.matcher(part);
      if (name.lookingAt()) {
        columns.put(unquoted(name.group(1)), part.substring(name.end()).strip());
      }
      return;
    }
    Matcher constraint = CONSTRAINT.matcher(part);
    if (constraint.matches()) {
      constraints.put(unquoted(constraint.group(1)), constraint.group(2));
      return;
    }
    Matcher key = KEY.matcher(part);
    keys.put(key.matches() ? unquoted(key.group(1)) : PRIMARY, part);
  }

  /** The foreign keys among the constraints. */
  public List<ForeignKey> foreignKeys() {
    List<ForeignKey> found = new ArrayList<>();
    constraints.forEach((name, text) -> {
      Matcher matcher = FOREIGN_KEY.matcher(text);
      if (matcher.matches()) {
        List<String> parent = namesIn(matcher.group(2));
        found.add(
            new ForeignKey(
                name,
                namesIn(matcher.group(1)),
                parent.size() > 1 ? Optional.of(parent.get(0)) : Optional.empty(),
                parent.get(parent.size() - 1),
                namesIn(matcher.group(3))));
      }
    });
    return found;
  }

  /** The engine's name. */
  public String engine() {
    Matcher engine = Pattern.compile("ENGINE=(\\w+)").matcher(options);
    return engine.find() ? engine.group(1) : "";
  }

  private static List<String> namesIn(String text) {
    List<String> names = new ArrayList<>();
    Matcher matcher = NAME.matcher(text);
    while (matcher.find()) {
      names.add(unquoted(matcher.group(1)));
    }
    return names;
  }

  private static String unquoted(String name) {
    return name.replace("``", "`");
  }
}
