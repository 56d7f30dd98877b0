package io.alrai.optimizer.api.shape;

import io.alrai.optimizer.api.text.LexicalMode;
import io.alrai.optimizer.api.text.StringContent;
import java.nio.charset.StandardCharsets;
import java.util.Locale;
import java.util.Set;

/**
 * Strings with a character set of their own: {@code _latin1'..'} and {@code N'..'}. Their bytes are
 * not of the connection's character set, so a shape, which is text, holds them in hexadecimal.
 */
final class IntroducedString {
  private static final byte[] BINARY = "_BINARY".getBytes(StandardCharsets.US_ASCII);
  private static final Set<String> CHARSETS =
      Set.of(
          "armscii8",
          "ascii",
          "big5",
          "binary",
          "cp1250",
          "cp1251",
          "cp1256",
          "cp1257",
          "cp850",
          "cp852",
          "cp866",
          "cp932",
          "dec8",
          "eucjpms",
          "euckr",
          "gb18030",
          "gb2312",
          "gbk",
          "geostd8",
          "greek",
          "hebrew",
          "hp8",
          "keybcs2",
          "koi8r",
          "koi8u",
          "latin1",
          "latin2",
          "latin5",
          "latin7",
          "macce",
          "macroman",
          "sjis",
          "swe7",
          "tis620",
          "ucs2",
          "ujis",
          "utf16",
          "utf16le",
          "utf32",
          "utf8",
          "utf8mb3",
          "utf8mb4");

  private IntroducedString() {}

  /** Whether the word is {@code _binary}. */
  static boolean isBinary(byte[] sql, int start, int end) {
    if (end - start != BINARY.length) {
      return false;
    }
    for (int i = 0; i < BINARY.length; i++) {
      if ((sql[start + i] & 0xdf) != (BINARY[i] & 0xdf)) {
        return false;
      }
    }
    return true;
  }

  /** Whether the word is an underscore and a character set. */
  static boolean isIntroducer(byte[] sql, int start, int end) {
    String name = new String(sql, start + 1, end - start - 1, StandardCharsets.ISO_8859_1);
    return CHARSETS.contains(name.toLowerCase(Locale.ROOT));
  }

  static boolean isAscii(byte[] sql, int start, int end) {
    for (int at = start; at < end; at++) {
      if (sql[at] < 0) {
        return false;
      }
    }
    return true;
  }

  /** Appends {@code X'..'} with the content of the quoted string. */
  static void appendInHex(byte[] sql, int start, int end, LexicalMode mode, ShapeBuffer out) {
    out.append('X');
    out.append('\'');
    for (byte b : StringContent.unquote(sql, start, end, mode)) {
      out.append(Character.forDigit(b >> 4 & 15, 16));
      out.append(Character.forDigit(b & 15, 16));
    }
    out.append('\'');
  }
}
