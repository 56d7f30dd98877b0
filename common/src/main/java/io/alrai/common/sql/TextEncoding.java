package io.alrai.common.sql;

import io.alrai.common.error.AlraiException;
import io.alrai.common.error.ErrorCode;
import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;

/** Texts in a session's character set, which may lack characters of names in them. */
public final class TextEncoding {
  /** What stands for bytes of a client that are no characters: these are lost already. */
  private static final char UNREAD = '\ufffd';

  private TextEncoding() {}

  /**
   * The text in a character set.
   *
   * @throws AlraiException 3854 where that lacks a character: another name would be sent
   */
  public static byte[] bytes(String text, Charset charset) {
    if (!fits(text, charset)) {
      throw new AlraiException(
          ErrorCode.ER_CANNOT_CONVERT_STRING,
          "Cannot convert string '"
              + text.strip()
              + "' from utf8mb4 to "
              + charset.name()
              + ": the statement needs names that character_set_client has no characters for;"
              + " after SET NAMES utf8mb4 it has all");
    }
    return text.getBytes(charset);
  }

  /** Whether a character set has all characters of a text. */
  public static boolean fits(String text, Charset charset) {
    return charset == StandardCharsets.UTF_8
        || isAscii(text)
        || charset.newEncoder().canEncode(text.replace(UNREAD, '?'));
  }

  /** Whether it is the same bytes in all character sets that clients may have. */
  public static boolean isAscii(String text) {
    for (int i = 0; i < text.length(); i++) {
      if (text.charAt(i) >= 0x80) {
        return false;
      }
    }
    return true;
  }
}
