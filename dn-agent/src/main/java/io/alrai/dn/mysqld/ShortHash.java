package io.alrai.dn.mysqld;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;

/** Names for texts that are too long to be one. Pure. */
final class ShortHash {
  private ShortHash() {}

  /**
   * The beginning of the text's SHA-256 in hexadecimal.
   *
   * @param bytes how many of its 32
   */
  static String of(String text, int bytes) {
    try {
      byte[] hash =
          MessageDigest.getInstance("SHA-256").digest(text.getBytes(StandardCharsets.UTF_8));
      return HexFormat.of().formatHex(hash, 0, bytes);
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("every Java has SHA-256", e);
    }
  }
}
