package io.alrai.common.wire;

import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.Locale;

/**
 * Proofs of a password over a random nonce of 20 bytes, as the plugins mysql_native_password (with
 * SHA-1) and caching_sha2_password (with SHA-256) define them.
 */
public final class Scramble {
  /** Plugin name of the SHA-1 proof. */
  public static final String NATIVE = "mysql_native_password";

  /** Plugin name of the SHA-256 proof. */
  public static final String SHA2 = "caching_sha2_password";

  private Scramble() {}

  /** What a server may keep of a password: upper-case hex of H(H(password)). */
  public static String digest(String plugin, byte[] password) {
    if (password.length == 0) {
      return "";
    }
    MessageDigest digest = algorithm(plugin);
    return HexFormat.of()
        .formatHex(digest.digest(digest.digest(password)))
        .toUpperCase(Locale.ROOT);
  }

  /** The client's proof for a password; empty for an empty password. */
  public static byte[] proof(String plugin, byte[] password, byte[] nonce) {
    if (password.length == 0) {
      return new byte[0];
    }
    MessageDigest digest = algorithm(plugin);
    byte[] once = digest.digest(password);
    return xor(once, mask(plugin, digest, digest.digest(once), nonce));
  }

  /** Whether a proof fits the kept digest; an empty digest wants an empty proof. */
  public static boolean matches(String plugin, String digestHex, byte[] nonce, byte[] proof) {
    if (digestHex.isEmpty()) {
      return proof.length == 0;
    }
    byte[] twice = HexFormat.of().parseHex(digestHex);
    if (proof.length != twice.length) {
      return false;
    }
    MessageDigest digest = algorithm(plugin);
    byte[] once = xor(proof, mask(plugin, digest, twice, nonce));
    return MessageDigest.isEqual(digest.digest(once), twice);
  }

  private static byte[] mask(String plugin, MessageDigest digest, byte[] twice, byte[] nonce) {
    if (plugin.equals(NATIVE)) {
      digest.update(nonce);
      return digest.digest(twice);
    }
    digest.update(twice);
    return digest.digest(nonce);
  }

  private static byte[] xor(byte[] a, byte[] b) {
    byte[] out = new byte[a.length];
    for (int i = 0; i < a.length; i++) {
      out[i] = (byte) (a[i] ^ b[i]);
    }
    return out;
  }

  private static MessageDigest algorithm(String plugin) {
    try {
      return MessageDigest.getInstance(plugin.equals(NATIVE) ? "SHA-1" : "SHA-256");
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("every JDK has it", e);
    }
  }
}
