package io.alrai.testing;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/**
 * A piece of a script's statement; all of them together are its text.
 *
 * @param text as it stands there
 */
public record SqlToken(Kind kind, String text) {
  /** What it is. */
  public enum Kind {
    /** A name or a keyword without quotes. */
    WORD,
    /** A name in backquotes. */
    NAME,
    /** A text in single or double quotes. */
    STRING,
    /** Blanks and comments. */
    BLANK,
    /** A number, a variable or a character of its own. */
    OTHER
  }

  /** Cuts a text. A comment of which a server may run the content is read like the rest. */
  public static List<SqlToken> of(String sql) {
    List<SqlToken> tokens = new ArrayList<>();
    int at = 0;
    while (at < sql.length()) {
      Kind kind = kind(sql, at);
      int end = end(sql, at, kind);
      tokens.add(new SqlToken(kind, sql.substring(at, end)));
      at = end;
    }
    return tokens;
  }

  /** Whether it is this keyword. */
  boolean is(String upper) {
    return kind != Kind.STRING && text.toUpperCase(Locale.ROOT).equals(upper);
  }

  /** What it says, without its quotes. */
  String content() {
    if (kind != Kind.NAME && kind != Kind.STRING) {
      return text;
    }
    String quote = text.substring(0, 1);
    int end = text.length() > 1 && text.endsWith(quote) ? text.length() - 1 : text.length();
    return text.substring(1, end).replace(quote + quote, quote);
  }

  private static Kind kind(String sql, int at) {
    char c = sql.charAt(at);
    if (c == '`') {
      return Kind.NAME;
    }
    if (c == '\'' || c == '"') {
      return Kind.STRING;
    }
    if (isWord(c) && !Character.isDigit(c)) {
      return Kind.WORD;
    }
    return Character.isWhitespace(c) || comment(sql, at) ? Kind.BLANK : Kind.OTHER;
  }

  private static boolean comment(String sql, int at) {
    return sql.startsWith("-- ", at)
        || sql.charAt(at) == '#'
        || (sql.startsWith("/*", at)
            && !sql.startsWith("/*alrai", at)
            && !sql.startsWith("/*!", at)
            && !sql.startsWith("/*+", at));
  }

  private static boolean isWord(char c) {
    return Character.isLetterOrDigit(c) || c == '_' || c == '$';
  }

  private static int end(String sql, int at, Kind kind) {
    return switch (kind) {
      case NAME, STRING -> quoted(sql, at, kind == Kind.STRING);
      case WORD -> word(sql, at);
      case BLANK -> blank(sql, at);
      case OTHER -> other(sql, at);
    };
  }

  private static int word(String sql, int at) {
    int end = at;
    while (end < sql.length() && isWord(sql.charAt(end))) {
      end++;
    }
    return end;
  }

  private static int blank(String sql, int at) {
    if (Character.isWhitespace(sql.charAt(at))) {
      return at + 1;
    }
    boolean block = sql.startsWith("/*", at);
    int end = sql.indexOf(block ? "*/" : "\n", at + 1);
    return end < 0 ? sql.length() : end + (block ? 2 : 1);
  }

  /** A number with its letters, a variable with its name, or one character. */
  private static int other(String sql, int at) {
    if (Character.isDigit(sql.charAt(at))) {
      return word(sql, at);
    }
    int end = at;
    while (end < sql.length() && sql.charAt(end) == '@') {
      end++;
    }
    if (end == at || end == sql.length()) {
      return Math.max(end, at + 1);
    }
    if (sql.charAt(end) == '`') {
      return quoted(sql, end, false);
    }
    while (end < sql.length() && (isWord(sql.charAt(end)) || sql.charAt(end) == '.')) {
      end++;
    }
    return end;
  }

  private static int quoted(String sql, int at, boolean backslashes) {
    char quote = sql.charAt(at);
    int end = at + 1;
    while (end < sql.length()) {
      char c = sql.charAt(end);
      if (c == '\\' && backslashes) {
        end++;
      } else if (c == quote) {
        if (end + 1 >= sql.length() || sql.charAt(end + 1) != quote) {
          return end + 1;
        }
        end++;
      }
      end++;
    }
    return sql.length();
  }
}
