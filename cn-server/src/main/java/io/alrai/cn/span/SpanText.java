package io.alrai.cn.span;

import io.alrai.optimizer.api.text.LexicalMode;
import io.alrai.optimizer.api.text.TokenKind;
import io.alrai.optimizer.api.token.TokenScanner;
import java.util.Locale;

/**
 * Texts of statements as they leave the cluster: without comments, and with {@code ?} for each
 * literal, so that neither values nor passwords go to collectors. Stateless.
 */
final class SpanText {
  /** More bytes of a text are not looked at. */
  static final int MOST_BYTES = 2_048;

  private SpanText() {}

  /**
   * The text in one line. What a backslash in a string is, is a matter of the sql_mode in which the
   * text was read; where that makes a difference, only its verb is shown.
   */
  static String of(byte[] sql, int length, LexicalMode mode) {
    String text = read(sql, length, mode);
    LexicalMode other =
        new LexicalMode(mode.charset(), mode.ansiQuotes(), !mode.noBackslashEscapes());
    return read(sql, length, other).equals(text) ? text : verb(text) + " ...";
  }

  private static String text(byte[] sql, TokenScanner token, LexicalMode mode) {
    return new String(sql, token.start(), token.end() - token.start(), mode.charset());
  }

  private static String read(byte[] sql, int length, LexicalMode mode) {
    int end = Math.min(length, MOST_BYTES);
    TokenScanner tokens = new TokenScanner();
    tokens.reset(sql, 0, end, mode);
    StringBuilder text = new StringBuilder(Math.min(end, 256));
    TokenKind kind = tokens.next();
    while (kind != TokenKind.END && kind != TokenKind.BROKEN && kind != TokenKind.OTHER) {
      if (tokens.end() == end && end < length) {
        break; // a part of it may be missing
      }
      if (tokens.blankBefore() && !text.isEmpty()) {
        text.append(' ');
      }
      String literal =
          switch (kind) {
            case STRING, NATIONAL_STRING, HEX, BIT, INTEGER, DECIMAL, FLOAT -> "?";
            case HINT -> "/*+ ? */";
            // a string, where the text came with another sql_mode
            case QUOTED -> sql[tokens.start()] == '"' ? "?" : text(sql, tokens, mode);
            default -> text(sql, tokens, mode);
          };
      text.append(literal);
      kind = tokens.next();
    }
    return kind == TokenKind.END ? text.toString() : text + " ...";
  }

  /** What a text does, by its first word, or two of XA and START. */
  static String verb(String text) {
    String[] words = text.split("[^A-Za-z_]+", 3);
    String first = words.length == 0 ? "" : words[0].toUpperCase(Locale.ROOT);
    boolean two = words.length > 1 && (first.equals("XA") || first.equals("START"));
    return two ? first + " " + words[1].toUpperCase(Locale.ROOT) : first;
  }
}
