package io.alrai.optimizer.api;

import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;

/**
 * What separates fields or lines of a file.
 *
 * @param text a string's characters, or a character for each byte of a hexadecimal literal
 */
public record FileMark(String text, boolean hexadecimal) {
  /** A string's. */
  public static FileMark of(String text) {
    return new FileMark(text, false);
  }

  /** The bytes; a string's are of the connection's character set. */
  public byte[] bytes(Charset connection) {
    return text.getBytes(hexadecimal ? StandardCharsets.ISO_8859_1 : connection);
  }
}
