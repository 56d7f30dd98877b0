package io.alrai.cn.protocol;

import java.security.SecureRandom;

/** Random bytes for logins. Thread-safe. */
public final class Nonces {
  /** Bytes of a nonce. */
  public static final int LENGTH = 20;

  private static final SecureRandom RANDOM = new SecureRandom();

  private Nonces() {}

  /** Twenty bytes without zeros. */
  public static byte[] next() {
    byte[] bytes = new byte[LENGTH];
    RANDOM.nextBytes(bytes);
    for (int i = 0; i < LENGTH; i++) {
      bytes[i] = (byte) (1 + (bytes[i] & 0x7f) % 126);
    }
    return bytes;
  }
}
