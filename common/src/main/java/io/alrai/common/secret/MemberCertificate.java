package io.alrai.common.secret;

import io.alrai.common.certificate.Certificates;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.PublicKey;
import java.security.SecureRandom;
import java.security.cert.X509Certificate;
import java.time.Instant;
import java.util.HexFormat;
import java.util.Optional;
import javax.net.ssl.KeyManager;
import javax.net.ssl.KeyManagerFactory;

/**
 * What a process shows other members of its cluster over TLS: a key that it has made for itself and
 * keeps in memory, in a certificate whose subject is HMAC-SHA-256(secret, "member-key" 0x00 key),
 * in hexadecimal digits. Only a process that knows the secret can make the certificate, and only
 * its maker has the private key; so both sides of a mutual TLS connection know that the other knows
 * the secret, without a CA and without files. What was heard on one connection is of no use for
 * another, and the secret gives away nothing that was heard before.
 *
 * <p>Dates and host names do not count: a key lives as long as its process, at whatever address.
 */
final class MemberCertificate implements MemberTrust.Voucher {
  private static final String LABEL = "member-key";
  private static final char[] NO_PASSWORD = {};
  private static final HexFormat HEX = HexFormat.of();

  private final ClusterSecret secret;
  private final Certificates.Owned owned;

  /** A new key, vouched for by a secret. */
  MemberCertificate(ClusterSecret secret) {
    this.secret = secret;
    try {
      this.owned =
          new Certificates(new SecureRandom(), Instant.now()).ofKey(key -> name(secret, key));
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException("every Java has keys on the curve P-256", e);
    }
  }

  private static String name(ClusterSecret secret, PublicKey key) {
    return HEX.formatHex(secret.seal(LABEL, key.getEncoded()));
  }

  /** Shows the certificate to the other side, on both of them. */
  KeyManager keyManager() {
    try {
      KeyStore store = KeyStore.getInstance("PKCS12");
      store.load(null, NO_PASSWORD);
      store.setKeyEntry(
          "member", owned.key(), NO_PASSWORD, new X509Certificate[] {owned.certificate()});
      KeyManagerFactory managers =
          KeyManagerFactory.getInstance(KeyManagerFactory.getDefaultAlgorithm());
      managers.init(store, NO_PASSWORD);
      return managers.getKeyManagers()[0];
    } catch (GeneralSecurityException | IOException e) {
      throw new IllegalStateException("every Java has key stores in memory", e);
    }
  }

  /** Vouches for certificates of members, whoever signed them. */
  @Override
  public Optional<String> objection(X509Certificate[] chain) {
    String shown = chain[0].getSubjectX500Principal().getName();
    String expected = "CN=" + name(secret, chain[0].getPublicKey());
    return ClusterSecret.same(
            expected.getBytes(StandardCharsets.UTF_8), shown.getBytes(StandardCharsets.UTF_8))
        ? Optional.empty()
        : Optional.of("does not know the cluster's secret");
  }
}
