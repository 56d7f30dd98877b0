package io.alrai.cn.protocol;

import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.KeyPair;
import java.security.KeyPairGenerator;
import java.util.Base64;
import java.util.Optional;
import javax.crypto.Cipher;
import org.jspecify.annotations.Nullable;

/**
 * The RSA keys with which clients without TLS encrypt their passwords. They are made when the first
 * client asks, and live as long as the process. All of it takes milliseconds. Thread-safe.
 */
final class PasswordKeys {
  private static final int BITS = 2048;

  private @Nullable KeyPair pair;

  private synchronized KeyPair pair() {
    KeyPair known = pair;
    if (known == null) {
      try {
        KeyPairGenerator generator = KeyPairGenerator.getInstance("RSA");
        generator.initialize(BITS);
        known = generator.generateKeyPair();
      } catch (GeneralSecurityException e) {
        throw new IllegalStateException("every JDK has RSA", e);
      }
      pair = known;
    }
    return known;
  }

  /** The public key as PEM. */
  byte[] publicPem() {
    String body =
        Base64.getMimeEncoder(64, new byte[] {'\n'})
            .encodeToString(pair().getPublic().getEncoded());
    return ("-----BEGIN PUBLIC KEY-----\n" + body + "\n-----END PUBLIC KEY-----\n")
        .getBytes(StandardCharsets.US_ASCII);
  }

  /** What a client has encrypted: its password, a zero after it, mixed with the nonce. */
  Optional<byte[]> decrypt(byte[] encrypted, byte[] nonce) {
    try {
      Cipher cipher = Cipher.getInstance("RSA/ECB/OAEPWithSHA-1AndMGF1Padding");
      cipher.init(Cipher.DECRYPT_MODE, pair().getPrivate());
      byte[] mixed = cipher.doFinal(encrypted);
      for (int i = 0; i < mixed.length; i++) {
        mixed[i] ^= nonce[i % nonce.length];
      }
      return Optional.of(mixed);
    } catch (GeneralSecurityException e) {
      return Optional.empty(); // not of our key: as a wrong password
    }
  }
}
