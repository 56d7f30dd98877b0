package io.alrai.optimizer.parse.ddl;

import io.alrai.optimizer.api.token.TokenScanner;
import java.util.ArrayList;
import java.util.List;

/**
 * Cuts DDL text into tokens. The content of an executable comment ({@code /*!50100 ... *}{@code /})
 * counts as text, as for a mysqld; other comments count as space.
 */
public final class DdlTokens {
  /** What a token is. */
  enum Kind {
    /** A bare word: keyword or identifier. */
    WORD,
    /** An identifier in quotes; the value is without them. */
    QUOTED,
    /** A string; the value is what it stands for. */
    STRING,
    /** Digits only. */
    NUMBER,
    /** One character. */
    SYMBOL
  }

  /**
   * A token.
   *
   * @param kind what it is
   * @param value a word as written, or what stands between the quotes
   * @param start first index in the text
   * @param end index after the last
   */
  record Token(Kind kind, String value, int start, int end) {}

  private static final String OPEN_COMMENT = "/*";

  private final String text;
  private final Quotes quotes;
  private final List<Token> tokens = new ArrayList<>();
  private int at;

  private DdlTokens(String text, Quotes quotes) {
    this.text = text;
    this.quotes = quotes;
  }

  /**
   * What quotes mean under a sql_mode.
   *
   * @param ansi whether double quotes are those of identifiers
   * @param withoutEscapes whether a backslash is an ordinary character
   */
  public record Quotes(boolean ansi, boolean withoutEscapes) {
    boolean ofName(char quote) {
      return quote == '`' || (quote == '"' && ansi);
    }

    boolean escapes(char quote) {
      return !withoutEscapes && !ofName(quote);
    }
  }

  /** The tokens of the text, up to its end. */
  static List<Token> of(String text, Quotes quotes) {
    DdlTokens scan = new DdlTokens(text, quotes);
    scan.run();
    return scan.tokens;
  }

  /**
   * The text with the marks of executable comments blanked, so that any slice of it is whole. Same
   * length; the same text where there are none.
   */
  static String unwrap(String text, Quotes quotes) {
    int mark = text.indexOf("/*!");
    if (mark < 0) {
      return text;
    }
    return new CommentMarks(text, quotes).blank();
  }

  private void run() {
    while (at < text.length()) {
      char c = text.charAt(at);
      if (Character.isWhitespace(c)) {
        at++;
      } else if (startsComment()) {
        skipComment();
      } else if (quotes.ofName(c)) {
        quoted(c, Kind.QUOTED);
      } else if (c == '\'' || c == '"') {
        quoted(c, Kind.STRING);
      } else if (isWordPart(c)) {
        word();
      } else {
        tokens.add(new Token(Kind.SYMBOL, String.valueOf(c), at, at + 1));
        at++;
      }
    }
  }

  private boolean startsComment() {
    return startsComment(text, at);
  }

  static boolean startsComment(String text, int at) {
    char c = text.charAt(at);
    if (c == '#') {
      return true;
    }
    if (c == '-') {
      return text.startsWith("--", at) && (at + 2 == text.length() || text.charAt(at + 2) <= ' ');
    }
    return c == '/' && text.startsWith("/*", at);
  }

  /** A comment that never ends is a symbol, which fits nowhere. */
  private void skipComment() {
    int start = at;
    at = commentEnd(text, at);
    if (text.startsWith("/*", start) && text.indexOf("*/", start + 2) < 0) {
      tokens.add(new Token(Kind.SYMBOL, OPEN_COMMENT, start, at));
    }
  }

  static int commentEnd(String text, int at) {
    int end = text.charAt(at) == '/' ? text.indexOf("*/", at + 2) + 2 : text.indexOf('\n', at) + 1;
    return end < at + 1 ? text.length() : Math.max(end, at + 1);
  }

  private void quoted(char quote, Kind kind) {
    int start = at;
    StringBuilder value = new StringBuilder();
    at++;
    while (at < text.length()) {
      char c = text.charAt(at);
      if (c == quote) {
        if (at + 1 < text.length() && text.charAt(at + 1) == quote) {
          value.append(quote);
          at += 2;
          continue;
        }
        at++;
        break;
      }
      if (c == '\\' && quotes.escapes(quote) && at + 1 < text.length()) {
        value.append(unescaped(text.charAt(at + 1)));
        at += 2;
      } else {
        value.append(c);
        at++;
      }
    }
    tokens.add(new Token(kind, value.toString(), start, at));
  }

  private static char unescaped(char c) {
    return switch (c) {
      case 'n' -> '\n';
      case 't' -> '\t';
      case 'r' -> '\r';
      case 'b' -> '\b';
      case '0' -> '\0';
      case 'Z' -> '\u001a';
      default -> c;
    };
  }

  private void word() {
    int start = at;
    boolean digits = true;
    while (at < text.length() && isWordPart(text.charAt(at))) {
      digits &= Character.isDigit(text.charAt(at));
      at++;
    }
    tokens.add(new Token(digits ? Kind.NUMBER : Kind.WORD, text.substring(start, at), start, at));
  }

  private static boolean isWordPart(char c) {
    return (c >= 'a' && c <= 'z')
        || (c >= 'A' && c <= 'Z')
        || (c >= '0' && c <= '9')
        || c == '_'
        || c == '$'
        || c >= 0x80;
  }

  /** Finds the marks of executable comments outside of strings and other comments. */
  private static final class CommentMarks {
    private final String text;
    private final Quotes quotes;
    private final StringBuilder blanked;
    private boolean inside;
    private int opened;

    CommentMarks(String text, Quotes quotes) {
      this.text = text;
      this.quotes = quotes;
      this.blanked = new StringBuilder(text);
    }

    String blank() {
      int at = 0;
      while (at < text.length()) {
        char c = text.charAt(at);
        if (text.startsWith("/*!", at)) {
          at = open(at);
        } else if (inside && text.startsWith("*/", at)) {
          blank(at, at + 2);
          inside = false;
          at += 2;
        } else if (startsComment(text, at)) {
          at = commentEnd(text, at);
        } else if (c == '\'' || c == '"' || c == '`') {
          at = stringEnd(at);
        } else {
          at++;
        }
      }
      if (inside) {
        blank(opened, text.length());
        blanked.replace(opened, opened + 2, OPEN_COMMENT);
      }
      return blanked.toString();
    }

    private int open(int at) {
      int digits = at + 3;
      while (digits < text.length() && digits < at + 9 && isDigit(text.charAt(digits))) {
        digits++;
      }
      boolean versioned = digits >= at + 8;
      int end = versioned ? digits : at + 3;
      if (versioned && Integer.parseInt(text.substring(at + 3, end)) > TokenScanner.VERSION) {
        int close = skippedEnd(end);
        blank(at, close);
        return close;
      }
      blank(at, end);
      inside = true;
      opened = at;
      return end;
    }

    /** The end of a conditional comment that is skipped: comments inside it are stepped over. */
    private int skippedEnd(int from) {
      int at = from;
      while (at < text.length() && !text.startsWith("*/", at)) {
        at = text.startsWith("/*", at) ? commentEnd(text, at) : at + 1;
      }
      return Math.min(at + 2, text.length());
    }

    private int stringEnd(int start) {
      char quote = text.charAt(start);
      int at = start + 1;
      while (at < text.length()) {
        char c = text.charAt(at);
        if (c == '\\' && quotes.escapes(quote)) {
          at += 2;
        } else if (c == quote) {
          return at + 1;
        } else {
          at++;
        }
      }
      return text.length();
    }

    private void blank(int from, int to) {
      for (int i = from; i < to; i++) {
        blanked.setCharAt(i, ' ');
      }
    }

    private static boolean isDigit(char c) {
      return c >= '0' && c <= '9';
    }
  }
}
