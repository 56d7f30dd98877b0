package io.alrai.common.secret;

import java.security.DigestException;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Arrays;

/**
 * The slow digest of a password that "Unix crypt using SHA-256 and SHA-512" defines
 * (https://www.akkadia.org/drepper/SHA-crypt.txt), for salts of any bytes and of more than 16 of
 * them, as caching_sha2_password has: libraries refuse those. Pure.
 */
final class Sha256Crypt {
  private static final String ALPHABET =
      "./0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";

  private static final int LENGTH = 32;

  private final MessageDigest sha;
  private final byte[] digest = new byte[LENGTH];

  private Sha256Crypt() {
    try {
      sha = MessageDigest.getInstance("SHA-256");
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("every JDK has it", e);
    }
  }

  /** The digest as the 43 characters that stand after the salt. */
  static String digest(byte[] password, byte[] salt, int rounds) {
    return new Sha256Crypt().run(password, salt, rounds);
  }

  private String run(byte[] password, byte[] salt, int rounds) {
    first(password, salt);
    byte[] fromPassword = cycled(repeated(password, password.length), password.length);
    byte[] fromSalt = cycled(repeated(salt, 16 + (digest[0] & 0xff)), salt.length);
    for (int round = 0; round < rounds; round++) {
      boolean odd = (round & 1) != 0;
      sha.update(odd ? fromPassword : digest);
      if (round % 3 != 0) {
        sha.update(fromSalt);
      }
      if (round % 7 != 0) {
        sha.update(fromPassword);
      }
      sha.update(odd ? digest : fromPassword);
      finish();
    }
    return text();
  }

  /** Steps 1 to 12: password and salt, and what the bits of the password's length say. */
  private void first(byte[] password, byte[] salt) {
    sha.update(password);
    sha.update(salt);
    byte[] alternate = sha.digest(password);
    sha.update(password);
    sha.update(salt);
    sha.update(cycled(alternate, password.length));
    for (int bits = password.length; bits > 0; bits >>>= 1) {
      sha.update((bits & 1) != 0 ? alternate : password);
    }
    finish();
  }

  private byte[] repeated(byte[] part, int times) {
    for (int i = 0; i < times; i++) {
      sha.update(part);
    }
    return sha.digest();
  }

  private static byte[] cycled(byte[] part, int length) {
    byte[] out = new byte[length];
    for (int at = 0; at < length; at += part.length) {
      System.arraycopy(part, 0, out, at, Math.min(part.length, length - at));
    }
    return out;
  }

  private void finish() {
    try {
      sha.digest(digest, 0, LENGTH);
    } catch (DigestException e) {
      throw new IllegalStateException("the digest has its length", e);
    }
  }

  /** Three bytes at a time as four characters, the lowest six bits first (step 22). */
  private String text() {
    StringBuilder text = new StringBuilder(43);
    int at = 0;
    for (int group = 0; group < 10; group++) {
      append(text, digest[at % 30], digest[(at + 10) % 30], digest[(at + 20) % 30], 4);
      at = (at + 21) % 30;
    }
    append(text, (byte) 0, digest[31], digest[30], 3);
    Arrays.fill(digest, (byte) 0);
    return text.toString();
  }

  private static void append(StringBuilder text, byte high, byte middle, byte low, int characters) {
    int bits = (high & 0xff) << 16 | (middle & 0xff) << 8 | low & 0xff;
    for (int i = 0; i < characters; i++) {
      text.append(ALPHABET.charAt(bits & 0x3f));
      bits >>>= 6;
    }
  }
}
