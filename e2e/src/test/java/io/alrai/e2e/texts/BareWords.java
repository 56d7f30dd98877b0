package io.alrai.e2e.texts;

/** Takes quoted tokens and comments out of a text for a mysqld. */
final class BareWords {
  private final String sql;
  private final boolean backslashes;
  private final StringBuilder bare = new StringBuilder();
  private int at;

  private BareWords(String sql, boolean backslashes) {
    this.sql = sql;
    this.backslashes = backslashes;
  }

  /**
   * What is left, with {@code ?} for each quoted token; a token that does not end is left as it is.
   */
  static String of(String sql, boolean ansiQuotes, boolean noBackslashEscapes) {
    BareWords words = new BareWords(sql, !noBackslashEscapes);
    while (words.at < sql.length()) {
      words.next(ansiQuotes);
    }
    return words.bare.toString();
  }

  private void next(boolean ansiQuotes) {
    char c = sql.charAt(at);
    if (c == '`' || c == '\'' || c == '"') {
      quoted(c, c == '\'' || (c == '"' && !ansiQuotes));
    } else if (c == '#' || (sql.startsWith("--", at) && isBlank(at + 2))) {
      int end = sql.indexOf('\n', at);
      at = end < 0 ? sql.length() : end;
    } else if (sql.startsWith("/*", at) && !sql.startsWith("/*!", at)) {
      int end = sql.indexOf("*/", at + 2);
      skipTo(end < 0 ? -1 : end + 2);
    } else {
      bare.append(c);
      at++;
    }
  }

  private boolean isBlank(int place) {
    return place >= sql.length() || sql.charAt(place) <= ' ';
  }

  private void quoted(char quote, boolean string) {
    int end = at + 1;
    while (end < sql.length()) {
      char c = sql.charAt(end);
      if (c == '\\' && string && backslashes) {
        end += 2;
      } else if (c != quote) {
        end++;
      } else if (end + 1 < sql.length() && sql.charAt(end + 1) == quote) {
        end += 2;
      } else {
        skipTo(end + 1);
        return;
      }
    }
    skipTo(-1);
  }

  /** Moves past a token; -1 when it has no end. */
  private void skipTo(int end) {
    bare.append(end < 0 ? sql.substring(at) : "?");
    at = end < 0 ? sql.length() : end;
  }
}
