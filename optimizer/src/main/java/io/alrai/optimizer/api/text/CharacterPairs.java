package io.alrai.optimizer.api.text;

import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;

/**
 * Where two bytes are one character although the second alone would be an ASCII one: a backslash or
 * a backtick there ends or escapes nothing. Source: the encodings' definitions; MySQL reads quoted
 * texts in the same way.
 */
public enum CharacterPairs {
  /** None: utf8mb4, all single-byte character sets, euckr, ujis. */
  NONE,
  /** gbk, big5, gb18030. */
  CHINESE,
  /** sjis, cp932, which have single bytes for katakana. */
  JAPANESE;

  private static final int FIRST_ASCII = 0x40;
  private static final int DELETE = 0x7f;

  public static CharacterPairs of(Charset charset) {
    if (charset == StandardCharsets.UTF_8) {
      return NONE;
    }
    return switch (charset.name()) {
      case "GBK", "Big5", "GB18030" -> CHINESE;
      case "Shift_JIS", "windows-31j" -> JAPANESE;
      default -> NONE;
    };
  }

  /** Whether a character of two bytes starts there. */
  public boolean startsAt(byte[] text, int at, int end) {
    if (this == NONE || text[at] >= 0 || at + 1 >= end) {
      return false;
    }
    int first = text[at] & 0xff;
    int second = text[at + 1] & 0xff;
    boolean leads = first > 0x80 && (this == CHINESE || first < 0xa0 || first >= 0xe0);
    return leads && first < 0xff && second >= FIRST_ASCII && second != DELETE;
  }
}
