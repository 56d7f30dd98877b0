package io.alrai.optimizer.api.inspect;

import io.alrai.optimizer.api.text.LexicalMode;
import io.alrai.optimizer.api.text.TokenKind;
import io.alrai.optimizer.api.token.TokenCursor;
import io.alrai.optimizer.api.token.TokenCursor.Token;
import java.nio.charset.StandardCharsets;
import java.util.Locale;
import java.util.Set;

/**
 * Texts of statements as others may see them: passwords and what is kept of them are {@code
 * <secret>}, as in MySQL's processlist and logs. A string is one where a name that contains
 * PASSWORD stands before it, as in {@code SOURCE_PASSWORD='..'}, or IDENTIFIED BY or WITH, or SET
 * PASSWORD, in any statement of the text. Pure.
 */
public final class HiddenSecrets {
  private static final String SECRET = "<secret>";
  private static final String PASSWORD = "PASSWORD";
  private static final String IDENTIFIED = "IDENTIFIED";

  /** What stands before a secret in statements about accounts. */
  private static final Set<String> BEFORE = Set.of("BY", "AS", "REPLACE", "TO", "=");

  /** Words that may stand between a name and its value. */
  private static final Set<String> BETWEEN = Set.of("BY", "AS", "TO");

  private HiddenSecrets() {}

  /** A statement's text, or that of several, which may have been cut. */
  public static String in(String sql, LexicalMode mode) {
    if (!mentions(sql, PASSWORD) && !mentions(sql, IDENTIFIED)) {
      return sql; // by far most
    }
    TokenCursor tokens = TokenCursor.ofProgram(sql, mode.ansiQuotes(), mode.noBackslashEscapes());
    byte[] bytes = sql.getBytes(StandardCharsets.UTF_8);
    StringBuilder shown = new StringBuilder();
    int from = 0;
    int first = 0; // of this statement
    boolean aboutAccounts = false;
    boolean follows = false; // what was read says that a secret comes
    boolean goesOn = false; // 'pass' 'word' is one text
    for (int i = 0; i < tokens.size(); i++) {
      Token token = tokens.token(i);
      if (token.kind() == TokenKind.SEMICOLON) {
        first = i + 1;
        aboutAccounts = false;
      }
      boolean secret = isText(token) && (goesOn || follows || isPrepared(tokens, i, first));
      if (secret) {
        shown.append(text(bytes, from, token.start())).append(goesOn ? "" : SECRET);
        from = token.end();
      }
      goesOn = secret;
      follows =
          isOfPassword(token) || aboutAccounts && isBefore(token) || follows && isBetween(token);
      aboutAccounts |= beginsAccount(tokens, i, first);
    }
    return shown.append(text(bytes, from, bytes.length)).toString();
  }

  /** Whether it is the text of PREPARE name FROM. */
  private static boolean isPrepared(TokenCursor tokens, int at, int first) {
    return at == first + 3 && tokens.seesAt(first, "PREPARE") && tokens.seesAt(at - 1, "FROM");
  }

  /** Whether a word stands anywhere, in any case. */
  private static boolean mentions(String text, String word) {
    int last = text.length() - word.length();
    for (int i = 0; i <= last; i++) {
      if ((text.charAt(i) & 0xdf) == word.charAt(0)
          && text.regionMatches(true, i, word, 0, word.length())) {
        return true;
      }
    }
    return false;
  }

  private static boolean beginsAccount(TokenCursor tokens, int at, int first) {
    if (tokens.seesAt(at, IDENTIFIED, "BY") || tokens.seesAt(at, IDENTIFIED, "WITH")) {
      return true;
    }
    boolean item = at > first && isItem(tokens.token(at - 1));
    return item
        && tokens.token(at).isWord(PASSWORD)
        && (tokens.token(first).isWord("SET") || tokens.seesAt(at + 1, "FOR"));
  }

  /** Whether a variable of SET comes next. */
  private static boolean isItem(Token token) {
    return token.isWord("SET") || token.kind() == TokenKind.COMMA;
  }

  private static boolean isOfPassword(Token token) {
    return switch (token.kind()) {
      case WORD, QUOTED, USER_VARIABLE, SYSTEM_VARIABLE -> mentions(token.text(), PASSWORD);
      default -> false;
    };
  }

  private static boolean isBetween(Token token) {
    return switch (token.kind()) {
      case OPERATOR, OPEN -> true;
      case WORD ->
          token.text().startsWith("_") // a character set
              || BETWEEN.contains(token.text().toUpperCase(Locale.ROOT));
      default -> false;
    };
  }

  private static boolean isBefore(Token token) {
    return BEFORE.contains(token.text().toUpperCase(Locale.ROOT));
  }

  private static boolean isText(Token token) {
    return switch (token.kind()) {
      case STRING, NATIONAL_STRING, HEX, BIT, QUOTED, BROKEN -> true;
      default -> false;
    };
  }

  private static String text(byte[] bytes, int from, int to) {
    return new String(bytes, from, to - from, StandardCharsets.UTF_8);
  }
}
