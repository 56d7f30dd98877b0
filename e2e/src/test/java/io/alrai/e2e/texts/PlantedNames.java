package io.alrai.e2e.texts;

import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Names for the holes of statements. Each begins and ends with a mark that stands nowhere else, so
 * that one which is out of its quotes shows it.
 */
final class PlantedNames {
  /** What a name begins and ends with. */
  static final String MARK = "zq7";

  /** What stands between the marks, in turn for each kind of name. */
  private static final List<String> MIDDLES =
      List.of(
          "`",
          "'",
          "\"",
          "\\",
          ";",
          "-- ",
          "/*",
          " ",
          ".",
          "%",
          "_",
          "UPPER",
          " select ",
          "\u00e4\u00df\u6f22",
          "``.``'\"\\; drop -- /*",
          "\\'\\\"`",
          "l".repeat(64));

  /** How many turns there are until each kind of name has been of each form. */
  static final int TURNS = MIDDLES.size();

  private static final Pattern HOLE = Pattern.compile("\\{(')?(\\w+)}");

  /** The kinds of which MySQL wants shorter names than 64 characters. */
  private static final Map<String, Integer> LONGEST =
      Map.of("like", 50, "ren", 50, "ac", 32, "ac2", 32, "ro", 32, "ro2", 32);

  private final int turn;
  private final boolean noBackslashEscapes;
  private final Map<String, Integer> kinds = new TreeMap<>();

  PlantedNames(int turn, boolean noBackslashEscapes) {
    this.turn = turn;
    this.noBackslashEscapes = noBackslashEscapes;
  }

  /** The name of a kind; two of them never are the same. */
  String name(String kind) {
    int number = kinds.computeIfAbsent(kind, each -> kinds.size());
    String middle = MIDDLES.get((turn + number) % MIDDLES.size());
    String name = MARK + kind + middle + MARK;
    int longest = LONGEST.getOrDefault(kind, 64);
    return name.length() <= longest ? name : name.substring(0, longest - MARK.length()) + MARK;
  }

  private String string(String content) {
    String escaped = noBackslashEscapes ? content : content.replace("\\", "\\\\");
    return "'" + escaped.replace("'", "''") + "'";
  }

  /** A statement with its holes filled: <code>{t}</code> a name, <code>{'t}</code> a string. */
  String fill(String template) {
    return HOLE.matcher(template)
        .replaceAll(hole -> {
          String name = name(hole.group(2));
          return Matcher.quoteReplacement(
              hole.group(1) == null ? "`" + name.replace("`", "``") + "`" : string(name));
        });
  }
}
