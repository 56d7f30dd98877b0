package io.alrai.common.secret;

import io.alrai.common.certificate.Certificates;
import java.io.IOException;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.PublicKey;
import java.security.SecureRandom;
import java.security.cert.CertificateException;
import java.security.cert.X509Certificate;
import java.time.Instant;
import java.util.HexFormat;
import java.util.function.Consumer;
import javax.net.ssl.KeyManager;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.X509ExtendedTrustManager;

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
public final class MemberCertificate {
  private static final String LABEL = "member-key";
  private static final char[] NO_PASSWORD = {};
  private static final HexFormat HEX = HexFormat.of();

  private final ClusterSecret secret;
  private final Certificates.Owned owned;

  /** A new key, vouched for by a secret. */
  public MemberCertificate(ClusterSecret secret) {
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
  public KeyManager keyManager() {
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

  /**
   * Believes certificates of members, whoever signed them.
   *
   * @param refused learns what it refused, on the thread of the connection
   */
  public X509ExtendedTrustManager members(Consumer<String> refused) {
    return new Members(secret, refused);
  }

  private static final class Members extends X509ExtendedTrustManager {
    private final ClusterSecret secret;
    private final Consumer<String> refused;

    Members(ClusterSecret secret, Consumer<String> refused) {
      this.secret = secret;
      this.refused = refused;
    }

    private void check(X509Certificate[] chain, String who) throws CertificateException {
      String shown = chain[0].getSubjectX500Principal().getName();
      String expected = "CN=" + name(secret, chain[0].getPublicKey());
      if (!ClusterSecret.same(
          expected.getBytes(StandardCharsets.UTF_8), shown.getBytes(StandardCharsets.UTF_8))) {
        String sentence = who + " does not know the cluster's secret";
        refused.accept(sentence);
        throw new CertificateException(sentence);
      }
    }

    @Override
    public void checkClientTrusted(X509Certificate[] chain, String type, SSLEngine engine)
        throws CertificateException {
      check(chain, "who connects");
    }

    @Override
    public void checkServerTrusted(X509Certificate[] chain, String type, SSLEngine engine)
        throws CertificateException {
      check(chain, engine.getPeerHost() + ":" + engine.getPeerPort());
    }

    @Override
    public void checkClientTrusted(X509Certificate[] chain, String type, Socket socket)
        throws CertificateException {
      check(chain, "who connects");
    }

    @Override
    public void checkServerTrusted(X509Certificate[] chain, String type, Socket socket)
        throws CertificateException {
      check(chain, "the other side");
    }

    @Override
    public void checkClientTrusted(X509Certificate[] chain, String type)
        throws CertificateException {
      check(chain, "who connects");
    }

    @Override
    public void checkServerTrusted(X509Certificate[] chain, String type)
        throws CertificateException {
      check(chain, "the other side");
    }

    @Override
    public X509Certificate[] getAcceptedIssuers() {
      return new X509Certificate[0];
    }
  }
}
