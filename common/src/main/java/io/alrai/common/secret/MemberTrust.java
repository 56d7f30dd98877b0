package io.alrai.common.secret;

import java.net.Socket;
import java.security.cert.CertificateException;
import java.security.cert.X509Certificate;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.X509ExtendedTrustManager;

/**
 * Believes certificates for which somebody vouches that they are a member's. At which host and port
 * a member is does not count: members are equals. Thread-safe, if those who vouch are.
 */
final class MemberTrust extends X509ExtendedTrustManager {
  private static final String CALLER = "who connects";

  private final List<Voucher> vouchers;
  private final Consumer<String> refused;

  /** Knows which certificates are members'. */
  interface Voucher {
    /**
     * What is against a certificate, as the rest of a sentence about who shows it; empty: nothing.
     *
     * @param chain the certificate, and those of CAs
     */
    Optional<String> objection(X509Certificate[] chain);
  }

  /**
   * Asks in turn.
   *
   * @param vouchers at least one; the last one's objection is said
   * @param refused learns what is refused, on the thread of the connection
   */
  MemberTrust(List<Voucher> vouchers, Consumer<String> refused) {
    this.vouchers = List.copyOf(vouchers);
    this.refused = refused;
  }

  private void check(X509Certificate[] chain, String who) throws CertificateException {
    String objection = "";
    for (Voucher voucher : vouchers) {
      Optional<String> against = voucher.objection(chain);
      if (against.isEmpty()) {
        return;
      }
      objection = against.get();
    }
    String sentence = who + " " + objection;
    refused.accept(sentence);
    throw new CertificateException(sentence);
  }

  @Override
  public void checkClientTrusted(X509Certificate[] chain, String type, SSLEngine engine)
      throws CertificateException {
    check(chain, CALLER);
  }

  @Override
  public void checkServerTrusted(X509Certificate[] chain, String type, SSLEngine engine)
      throws CertificateException {
    check(chain, engine.getPeerHost() + ":" + engine.getPeerPort());
  }

  @Override
  public void checkClientTrusted(X509Certificate[] chain, String type, Socket socket)
      throws CertificateException {
    check(chain, CALLER);
  }

  @Override
  public void checkServerTrusted(X509Certificate[] chain, String type, Socket socket)
      throws CertificateException {
    check(chain, "the other side");
  }

  @Override
  public void checkClientTrusted(X509Certificate[] chain, String type) throws CertificateException {
    check(chain, CALLER);
  }

  @Override
  public void checkServerTrusted(X509Certificate[] chain, String type) throws CertificateException {
    check(chain, "the other side");
  }

  @Override
  public X509Certificate[] getAcceptedIssuers() {
    return new X509Certificate[0];
  }
}
