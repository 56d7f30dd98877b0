package io.alrai.optimizer.api.text;

import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;

/**
 * What decides how a statement's bytes read as tokens.
 *
 * @param charset of the connection; no UTF-16 kind, which MySQL does not take from clients either
 * @param ansiQuotes sql_mode ANSI_QUOTES: {@code "x"} is an identifier
 * @param noBackslashEscapes sql_mode NO_BACKSLASH_ESCAPES: a backslash is an ordinary character
 */
public record LexicalMode(Charset charset, boolean ansiQuotes, boolean noBackslashEscapes) {
  /** utf8mb4 with MySQL's default sql_mode. */
  public static final LexicalMode DEFAULT = new LexicalMode(StandardCharsets.UTF_8, false, false);
}
