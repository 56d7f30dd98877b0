package io.alrai.optimizer.api.inspect;

import io.alrai.optimizer.api.text.LexicalMode;
import io.alrai.optimizer.api.token.TokenCursor;
import io.alrai.optimizer.api.token.TokenCursor.Token;
import java.nio.charset.StandardCharsets;
import java.util.Locale;
import java.util.Set;

/**
 * Texts of statements as others may see them: passwords and what is kept of them are {@code
 * <secret>}, as in MySQL's processlist and logs. Pure.
 */
public final class HiddenSecrets {
  private static final String SECRET = "<secret>";

  /** What stands before a secret in statements about accounts. */
  private static final Set<String> BEFORE = Set.of("BY", "AS", "REPLACE", "TO", "=");

  private HiddenSecrets() {}

  /** A statement's text, which may have been cut. */
  public static String in(String sql, LexicalMode mode) {
    TokenCursor tokens = new TokenCursor(sql, mode.ansiQuotes(), mode.noBackslashEscapes());
    if (!isAboutPasswords(tokens)) {
      return sql;
    }
    byte[] bytes = sql.getBytes(StandardCharsets.UTF_8);
    StringBuilder shown = new StringBuilder();
    int from = 0;
    boolean goesOn = false; // 'pass' 'word' is one text
    for (int i = 1; i < tokens.size(); i++) {
      Token token = tokens.token(i);
      boolean secret = isText(token) && (goesOn || isBefore(tokens.token(i - 1)));
      if (secret) {
        shown.append(text(bytes, from, token.start())).append(goesOn ? "" : SECRET);
        from = token.end();
      }
      goesOn = secret;
    }
    return shown.append(text(bytes, from, bytes.length)).toString();
  }

  private static boolean isAboutPasswords(TokenCursor tokens) {
    if (tokens.size() < 2) {
      return false;
    }
    Token first = tokens.token(0);
    Token second = tokens.token(1);
    return second.isWord("USER") && (first.isWord("CREATE") || first.isWord("ALTER"))
        || second.isWord("PASSWORD") && first.isWord("SET");
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
