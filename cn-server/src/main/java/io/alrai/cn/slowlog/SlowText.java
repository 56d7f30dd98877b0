package io.alrai.cn.slowlog;

import io.alrai.optimizer.api.text.LexicalMode;
import io.alrai.optimizer.api.text.ParameterSource;
import io.alrai.optimizer.api.text.TokenKind;
import io.alrai.optimizer.api.token.TokenCursor;
import io.alrai.optimizer.api.token.TokenCursor.Token;
import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/**
 * The text of a statement for its log, of {@value SlowLog#MOST_TEXT} bytes at most: with its
 * parameters in it, as MySQL writes it. In the session's character set. Stateless.
 */
final class SlowText {
  private SlowText() {}

  /**
   * A text.
   *
   * @param cut whether that is not all of it
   */
  record Filled(byte[] text, boolean cut) {}

  static Filled of(byte[] sql, int length, ParameterSource parameters, LexicalMode mode) {
    int most = Math.min(length, SlowLog.MOST_TEXT);
    if (parameters.areBound()) {
      try {
        return filled(sql, length, parameters, mode);
      } catch (IndexOutOfBoundsException e) {
        // it was prepared in another mode, in which it has fewer markers: they stay
      }
    }
    return new Filled(Arrays.copyOf(sql, most), most < length);
  }

  private static Filled filled(
      byte[] sql, int length, ParameterSource parameters, LexicalMode mode) {
    int most = Math.min(length, SlowLog.MOST_TEXT);
    String text = new String(sql, 0, most, mode.charset());
    TokenCursor tokens = TokenCursor.ofProgram(text, mode.ansiQuotes(), mode.noBackslashEscapes());
    byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
    ByteArrayOutputStream out = new ByteArrayOutputStream(most + 64);
    int from = 0;
    int parameter = 0;
    for (int i = 0; i < tokens.size(); i++) {
      Token token = tokens.token(i);
      if (token.kind() != TokenKind.PARAMETER) {
        continue;
      }
      out.writeBytes(part(bytes, from, token.start(), mode));
      if (parameters.bytes(parameter).length > SlowLog.MOST_TEXT - out.size()) {
        return new Filled(out.toByteArray(), true);
      }
      parameters.appendSql(parameter++, out);
      from = token.end();
    }
    out.writeBytes(part(bytes, from, bytes.length, mode));
    boolean cut = most < length || out.size() > SlowLog.MOST_TEXT;
    byte[] filled = out.toByteArray();
    return new Filled(
        filled.length > SlowLog.MOST_TEXT ? Arrays.copyOf(filled, SlowLog.MOST_TEXT) : filled, cut);
  }

  private static byte[] part(byte[] utf8, int from, int to, LexicalMode mode) {
    return new String(utf8, from, to - from, StandardCharsets.UTF_8).getBytes(mode.charset());
  }
}
