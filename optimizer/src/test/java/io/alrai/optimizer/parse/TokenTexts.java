package io.alrai.optimizer.parse;

import io.alrai.optimizer.api.text.LexicalMode;
import io.alrai.optimizer.api.text.TokenKind;
import io.alrai.optimizer.api.token.TokenScanner;
import java.nio.charset.StandardCharsets;
import java.util.StringJoiner;

/** A text's tokens in a row, for comparing. */
public final class TokenTexts {
  private TokenTexts() {}

  public static String of(String sql, LexicalMode mode) {
    byte[] bytes = sql.getBytes(mode.charset());
    return of(bytes, bytes.length, mode);
  }

  public static String of(byte[] bytes, int length, LexicalMode mode) {
    TokenScanner tokens = new TokenScanner();
    tokens.reset(bytes, 0, length, mode);
    StringJoiner texts = new StringJoiner(" ");
    for (TokenKind kind = tokens.next(); kind != TokenKind.END; kind = tokens.next()) {
      int count = tokens.end() - tokens.start();
      texts.add(kind + ":" + new String(bytes, tokens.start(), count, StandardCharsets.UTF_8));
    }
    return texts.toString();
  }
}
