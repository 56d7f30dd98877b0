package io.alrai.optimizer.parse;

import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;

/**
 * What decides how a statement's bytes read as tokens.
 *
 * @param charset of the connection. It must be one whose multi-byte characters have no ASCII bytes:
 *     utf8mb4, utf8mb3, latin1, ascii, binary, cp125x and the like. Statements in gbk, big5, sjis,
 *     gb18030 or a UTF-16 kind must be converted before they are scanned.
 * @param ansiQuotes sql_mode ANSI_QUOTES: {@code "x"} is an identifier
 * @param noBackslashEscapes sql_mode NO_BACKSLASH_ESCAPES: a backslash is an ordinary character
 */
public record LexicalMode(Charset charset, boolean ansiQuotes, boolean noBackslashEscapes) {
  /** utf8mb4 with MySQL's default sql_mode. */
  public static final LexicalMode DEFAULT = new LexicalMode(StandardCharsets.UTF_8, false, false);
}
